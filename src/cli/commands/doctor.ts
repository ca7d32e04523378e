import { type Config, describeKeySource } from '../../config.ts';
import { RemitError } from '../../errors.ts';
import { requireApiUrl, usingClient } from '../client.ts';
import { probeConnection } from '../doctor/connection.ts';
import { bad, type Finding, good } from '../doctor/finding.ts';
import { probeDisk, probeLedger } from '../doctor/machine.ts';
import type { Session } from '../session.ts';
import { type SettingInput, settingFlags } from '../settings-flags.ts';

export type DoctorInput = SettingInput;

/** `remit doctor`: exit 0 when all is well, 1 when anything is not. */
export async function doctor(session: Session, input: DoctorInput): Promise<number> {
  const findings = await examine(session, input);
  const ok = findings.every((finding) => finding.ok);
  if (session.json)
    session.resultJson({ ok, checks: findings.map((f) => ({ ...f, message: session.mask(f.message) })) });
  else for (const finding of findings) session.result(session.mask(line(finding)));
  return ok ? 0 : 1;
}

async function examine(session: Session, input: DoctorInput): Promise<Finding[]> {
  let config: Config;
  try {
    config = await session.config(settingFlags(input));
  } catch (error) {
    return [fromError('settings', error)];
  }
  const findings = [good('settings', config.file ?? 'from the environment; no remit.toml')];
  const key = await attempt('key', async () => {
    await session.key(config);
    return good('key', `from ${describeKeySource(config.keySource)}`);
  });
  findings.push(key);
  const address = await attempt('address', async () => good('address', requireApiUrl(config)));
  findings.push(address);
  if (address.ok) {
    const connection = await probeConnection(requireApiUrl(config), session.io.now);
    findings.push(...connection);
    if (key.ok && connection.every(({ name, ok }) => ok || name === 'clock')) {
      findings.push(await attempt('account', () => probeAccount(session, config)));
    }
  }
  findings.push(await attempt('disk', () => probeDisk(config)));
  findings.push(await attempt('ledger', () => probeLedger(config)));
  return findings;
}

async function probeAccount(session: Session, config: Config): Promise<Finding> {
  const profile = await usingClient(session, config, (client) => client.profile(), { maxAttempts: 1 });
  return good('account', `the key is accepted, for ${JSON.stringify(profile.value.organisation_name)}`);
}

async function attempt(name: string, probe: () => Promise<Finding>): Promise<Finding> {
  try {
    return await probe();
  } catch (error) {
    return fromError(name, error);
  }
}

function fromError(name: string, error: unknown): Finding {
  if (!(error instanceof RemitError)) throw error;
  return bad(name, error.message, error.hint);
}

function line({ ok, name, message, remedy }: Finding): string {
  return `${ok ? '✓' : '✗'} ${name.padEnd(11)}${message}${remedy === null ? '' : `\n  → ${remedy}`}`;
}
