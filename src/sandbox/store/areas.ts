import type { AreaRow } from './rows.ts';
import type { Store } from './store.ts';

/** The districts in which the company works, each with its governorate; no other is valid in a `district` field. */
export const DISTRICTS: Readonly<Record<string, string>> = {
  Beirut: 'Beirut',
  Aley: 'Mount Lebanon',
  Baabda: 'Mount Lebanon',
  Chouf: 'Mount Lebanon',
  Metn: 'Mount Lebanon',
  Keserwan: 'Keserwan-Jbeil',
  Jbeil: 'Keserwan-Jbeil',
  Batroun: 'North',
  Bsharri: 'North',
  Koura: 'North',
  'Miniyeh-Danniyeh': 'North',
  Tripoli: 'North',
  Zgharta: 'North',
  Akkar: 'Akkar',
  Rashaya: 'Bekaa',
  'West Bekaa': 'Bekaa',
  Zahle: 'Bekaa',
  Baalbek: 'Baalbek-Hermel',
  Hermel: 'Baalbek-Hermel',
  Jezzine: 'South',
  Saida: 'South',
  Tyre: 'South',
  'Bint Jbeil': 'Nabatieh',
  Hasbaya: 'Nabatieh',
  Marjeyoun: 'Nabatieh',
  Nabatieh: 'Nabatieh',
};

export function isDistrict(text: string): boolean {
  return Object.hasOwn(DISTRICTS, text);
}

interface SharedArea {
  code: string;
  name_en: string;
  name_ar: string;
  district: string;
  lat: string;
  long: string;
  group: string;
}

const area = (
  code: string,
  name_en: string,
  name_ar: string,
  district: string,
  lat: string,
  long: string,
  group: string,
): SharedArea => ({ code, name_en, name_ar, district, lat, long, group });

/** The areas that the company serves for all merchants; `POST /areas/create/` adds a merchant's own. */
const SHARED_AREAS: readonly SharedArea[] = [
  area('BEY-HAM', 'Hamra', 'الحمرا', 'Beirut', '33.8959', '35.4797', 'Greater Beirut'),
  area('BEY-ACH', 'Achrafieh', 'الأشرفية', 'Beirut', '33.8886', '35.5206', 'Greater Beirut'),
  area('BEY-MZR', 'Mazraa', 'المزرعة', 'Beirut', '33.8790', '35.4930', 'Greater Beirut'),
  area('BEY-GMZ', 'Gemmayzeh', 'الجميزة', 'Beirut', '33.8942', '35.5162', 'Greater Beirut'),
  area('BEY-VRD', 'Verdun', 'فردان', 'Beirut', '33.8856', '35.4833', 'Greater Beirut'),
  area('BAA-HAZ', 'Hazmieh', 'الحازمية', 'Baabda', '33.8536', '35.5369', 'Greater Beirut'),
  area('BAA-HRH', 'Haret Hreik', 'حارة حريك', 'Baabda', '33.8500', '35.5060', 'Greater Beirut'),
  area('BAA-FRN', 'Furn el Chebbak', 'فرن الشباك', 'Baabda', '33.8720', '35.5250', 'Greater Beirut'),
  area('MTN-BHM', 'Bourj Hammoud', 'برج حمود', 'Metn', '33.8936', '35.5403', 'Greater Beirut'),
  area('MTN-JDE', 'Jdeideh', 'الجديدة', 'Metn', '33.8940', '35.5650', 'Greater Beirut'),
  area('MTN-ANT', 'Antelias', 'أنطلياس', 'Metn', '33.9150', '35.5900', 'Mount Lebanon'),
  area('MTN-BKF', 'Bikfaya', 'بكفيا', 'Metn', '33.9178', '35.6811', 'Mount Lebanon'),
  area('KES-JOU', 'Jounieh', 'جونية', 'Keserwan', '33.9808', '35.6178', 'Mount Lebanon'),
  area('KES-ZMK', 'Zouk Mikael', 'ذوق مكايل', 'Keserwan', '33.9720', '35.6120', 'Mount Lebanon'),
  area('JBL-JBL', 'Jbeil', 'جبيل', 'Jbeil', '34.1230', '35.6519', 'Mount Lebanon'),
  area('ALY-ALY', 'Aley', 'عاليه', 'Aley', '33.8106', '35.5972', 'Mount Lebanon'),
  area('ALY-CHW', 'Choueifat', 'الشويفات', 'Aley', '33.8080', '35.5110', 'Mount Lebanon'),
  area('CHF-DAM', 'Damour', 'الدامور', 'Chouf', '33.7290', '35.4560', 'Mount Lebanon'),
  area('CHF-BAA', 'Baakline', 'بعقلين', 'Chouf', '33.6800', '35.5580', 'Mount Lebanon'),
  area('BAT-BAT', 'Batroun', 'البترون', 'Batroun', '34.2553', '35.6581', 'North'),
  area('KOU-AMI', 'Amioun', 'أميون', 'Koura', '34.2997', '35.8089', 'North'),
  area('ZGH-ZGH', 'Zgharta', 'زغرتا', 'Zgharta', '34.3973', '35.8949', 'North'),
  area('TRI-TRI', 'Tripoli', 'طرابلس', 'Tripoli', '34.4367', '35.8497', 'North'),
  area('TRI-MIN', 'El Mina', 'الميناء', 'Tripoli', '34.4497', '35.8140', 'North'),
  area('AKK-HLB', 'Halba', 'حلبا', 'Akkar', '34.5428', '36.0797', 'North'),
  area('ZAH-ZAH', 'Zahle', 'زحلة', 'Zahle', '33.8497', '35.9042', 'Bekaa'),
  area('ZAH-CHT', 'Chtaura', 'شتورا', 'Zahle', '33.8186', '35.8542', 'Bekaa'),
  area('BLB-BLB', 'Baalbek', 'بعلبك', 'Baalbek', '34.0058', '36.2181', 'Bekaa'),
  area('SAI-SAI', 'Saida', 'صيدا', 'Saida', '33.5606', '35.3758', 'South'),
  area('TYR-TYR', 'Tyre', 'صور', 'Tyre', '33.2704', '35.2038', 'South'),
  area('NAB-NAB', 'Nabatieh', 'النبطية', 'Nabatieh', '33.3789', '35.4839', 'South'),
];

/** Adds the shared areas that the store lacks. */
export function ensureSharedAreas(store: Store): void {
  store.write(() => {
    for (const a of SHARED_AREAS) {
      store.run('insert into area_group (name) values (?) on conflict do nothing', a.group);
      store.run(
        `insert into area (name_ar, name_en, district, lat, long, maps_link, code, area_group_id)
         select @name_ar, @name_en, @district, @lat, @long, @maps_link, @code, (select id from area_group where name = @group)
         where not exists (select 1 from area where merchant_id is null and code = @code)`,
        { ...a, maps_link: `https://maps.google.com/?q=${a.lat},${a.long}` },
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
