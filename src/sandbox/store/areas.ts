import type { AreaRow } from './rows.ts';
import type { Store } from './store.ts';

const DISTRICTS_OF_GOVERNORATES: Readonly<Record<string, readonly string[]>> = {
  Beirut: ['Beirut'],
  'Mount Lebanon': ['Aley', 'Baabda', 'Chouf', 'Metn'],
  'Keserwan-Jbeil': ['Keserwan', 'Jbeil'],
  North: ['Batroun', 'Bsharri', 'Koura', 'Miniyeh-Danniyeh', 'Tripoli', 'Zgharta'],
  Akkar: ['Akkar'],
  Bekaa: ['Rashaya', 'West Bekaa', 'Zahle'],
  'Baalbek-Hermel': ['Baalbek', 'Hermel'],
  South: ['Jezzine', 'Saida', 'Tyre'],
  Nabatieh: ['Bint Jbeil', 'Hasbaya', 'Marjeyoun', 'Nabatieh'],
};

/** The districts in which the company works, each with its governorate; no other is valid in a `district` field. */
export const DISTRICTS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(DISTRICTS_OF_GOVERNORATES).flatMap(([governorate, districts]) =>
    districts.map((district) => [district, governorate]),
  ),
);

export function isDistrict(text: string): boolean {
  return Object.hasOwn(DISTRICTS, text);
}

/**
 * The areas that the company serves for all merchants: code, English name, Arabic name, district, latitude, longitude,
 * group. `POST /areas/create/` adds areas of one merchant.
 */
const SHARED_AREAS = [
  ['BEY-HAM', 'Hamra', 'الحمرا', 'Beirut', '33.8959', '35.4797', 'Greater Beirut'],
  ['BEY-ACH', 'Achrafieh', 'الأشرفية', 'Beirut', '33.8886', '35.5206', 'Greater Beirut'],
  ['BEY-MZR', 'Mazraa', 'المزرعة', 'Beirut', '33.8790', '35.4930', 'Greater Beirut'],
  ['BEY-GMZ', 'Gemmayzeh', 'الجميزة', 'Beirut', '33.8942', '35.5162', 'Greater Beirut'],
  ['BEY-VRD', 'Verdun', 'فردان', 'Beirut', '33.8856', '35.4833', 'Greater Beirut'],
  ['BAA-HAZ', 'Hazmieh', 'الحازمية', 'Baabda', '33.8536', '35.5369', 'Greater Beirut'],
  ['BAA-HRH', 'Haret Hreik', 'حارة حريك', 'Baabda', '33.8500', '35.5060', 'Greater Beirut'],
  ['BAA-FRN', 'Furn el Chebbak', 'فرن الشباك', 'Baabda', '33.8720', '35.5250', 'Greater Beirut'],
  ['MTN-BHM', 'Bourj Hammoud', 'برج حمود', 'Metn', '33.8936', '35.5403', 'Greater Beirut'],
  ['MTN-JDE', 'Jdeideh', 'الجديدة', 'Metn', '33.8940', '35.5650', 'Greater Beirut'],
  ['MTN-ANT', 'Antelias', 'أنطلياس', 'Metn', '33.9150', '35.5900', 'Mount Lebanon'],
  ['MTN-BKF', 'Bikfaya', 'بكفيا', 'Metn', '33.9178', '35.6811', 'Mount Lebanon'],
  ['KES-JOU', 'Jounieh', 'جونية', 'Keserwan', '33.9808', '35.6178', 'Mount Lebanon'],
  ['KES-ZMK', 'Zouk Mikael', 'ذوق مكايل', 'Keserwan', '33.9720', '35.6120', 'Mount Lebanon'],
  ['JBL-JBL', 'Jbeil', 'جبيل', 'Jbeil', '34.1230', '35.6519', 'Mount Lebanon'],
  ['ALY-ALY', 'Aley', 'عاليه', 'Aley', '33.8106', '35.5972', 'Mount Lebanon'],
  ['ALY-CHW', 'Choueifat', 'الشويفات', 'Aley', '33.8080', '35.5110', 'Mount Lebanon'],
  ['CHF-DAM', 'Damour', 'الدامور', 'Chouf', '33.7290', '35.4560', 'Mount Lebanon'],
  ['CHF-BAA', 'Baakline', 'بعقلين', 'Chouf', '33.6800', '35.5580', 'Mount Lebanon'],
  ['BAT-BAT', 'Batroun', 'البترون', 'Batroun', '34.2553', '35.6581', 'North'],
  ['KOU-AMI', 'Amioun', 'أميون', 'Koura', '34.2997', '35.8089', 'North'],
  ['ZGH-ZGH', 'Zgharta', 'زغرتا', 'Zgharta', '34.3973', '35.8949', 'North'],
  ['TRI-TRI', 'Tripoli', 'طرابلس', 'Tripoli', '34.4367', '35.8497', 'North'],
  ['TRI-MIN', 'El Mina', 'الميناء', 'Tripoli', '34.4497', '35.8140', 'North'],
  ['AKK-HLB', 'Halba', 'حلبا', 'Akkar', '34.5428', '36.0797', 'North'],
  ['ZAH-ZAH', 'Zahle', 'زحلة', 'Zahle', '33.8497', '35.9042', 'Bekaa'],
  ['ZAH-CHT', 'Chtaura', 'شتورا', 'Zahle', '33.8186', '35.8542', 'Bekaa'],
  ['BLB-BLB', 'Baalbek', 'بعلبك', 'Baalbek', '34.0058', '36.2181', 'Bekaa'],
  ['SAI-SAI', 'Saida', 'صيدا', 'Saida', '33.5606', '35.3758', 'South'],
  ['TYR-TYR', 'Tyre', 'صور', 'Tyre', '33.2704', '35.2038', 'South'],
  ['NAB-NAB', 'Nabatieh', 'النبطية', 'Nabatieh', '33.3789', '35.4839', 'South'],
] as const;

export function ensureSharedAreas(store: Store): void {
  store.write(() => {
    for (const [code, name_en, name_ar, district, lat, long, group] of SHARED_AREAS) {
      store.run('insert into area_group (name) values (?) on conflict do nothing', group);
      store.run(
        `insert into area (name_ar, name_en, district, lat, long, maps_link, code, area_group_id)
         select @name_ar, @name_en, @district, @lat, @long, @maps_link, @code, (select id from area_group where name = @group)
         where not exists (select 1 from area where merchant_id is null and code = @code)`,
        { code, name_en, name_ar, district, lat, long, group, maps_link: `https://maps.google.com/?q=${lat},${long}` },
      );
    }
  });
}

export type AreaRecord = AreaRow & { group_name: string | null };

const SELECT =
  'select area.*, area_group.name as group_name from area left join area_group on area_group.id = area_group_id';

/** An area by id, whichever merchant owns it. */
export function readArea(store: Store, id: number): AreaRecord {
  return store.get<AreaRecord>(`${SELECT} where area.id = ?`, id) as AreaRecord;
}

export function readSharedAreas(store: Store): AreaRecord[] {
  return store.all<AreaRecord>(`${SELECT} where area.merchant_id is null order by area.id`);
}
