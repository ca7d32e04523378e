export { type TariffFault, tariffFaults } from './faults.ts';
export { type TariffLine, type TariffSubject, type TariffUnknown, tariffDay } from './model.ts';
export { type AgreedFee, type FeeDifference, feeDifferences, RateCard, rateCards } from './rate-card.ts';
