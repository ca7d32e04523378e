import fc from 'fast-check';

// The same examples each time: what passed once passes again, and a failure can be repeated. `REMIT_PROPERTY_SEED`
// draws others.
fc.configureGlobal({ seed: Number(process.env.REMIT_PROPERTY_SEED ?? 20_261_123) });
