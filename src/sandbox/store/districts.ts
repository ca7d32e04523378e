/** The districts in which the company works, each with its governorate. A `district` field takes these only. */
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

/** Whether a text is one of {@link DISTRICTS}. */
export function isDistrict(text: string): boolean {
  return Object.hasOwn(DISTRICTS, text);
}
