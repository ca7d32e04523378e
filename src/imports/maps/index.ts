export { builtInMapFor, guessMap } from './choose-map.ts';
export { type ColumnMap, IMPORT_KINDS, type ImportKind, MAP_FIELDS } from './column-map.ts';
export { type MapQuestion, mapQuestions, withAnswer } from './map-questions.ts';
export { mapSettings, mapText } from './map-text.ts';
export { parseColumnMap } from './parse-map.ts';
export { amountKey, DELIVERY } from './settlement-map.ts';
