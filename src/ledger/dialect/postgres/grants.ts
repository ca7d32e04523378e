import type { ServerPlace } from '../../../base/place.ts';
import type { LedgerSchema } from '../../schema.ts';
import { ALL_TABLES } from '../../tables.ts';
import { quotedName } from './client.ts';

type Table = keyof LedgerSchema;

/** The close log. Its tables are in both lists below: they are append-only, and a clerk closes and reopens months. */
const CLOSE_LOG: readonly Table[] = [
  'period_close',
  'period_close_figure',
  'period_close_item',
  'period_close_document',
  'period_close_finding',
  'period_reopen',
];

/** The tables whose rows nobody may change or remove: those that the migrations make append-only. */
const APPEND_ONLY: readonly string[] = [
  'evidence',
  'evidence_body',
  'evidence_pack',
  'evidence_part',
  'mismatch_event',
  'mismatch_effect',
  'claim_event',
  'returns_adopted',
  ...CLOSE_LOG,
] satisfies readonly Table[];

/** The tables that a clerk may write to: decisions on findings, claims, matches, closes. Imports are the syncer's. */
const CLERK_TABLES: readonly Table[] = [
  'evidence',
  'evidence_body',
  'chain',
  'mismatch',
  'mismatch_month',
  'mismatch_event',
  'mismatch_effect',
  'claim',
  'claim_event',
  'receipt_match',
  'receipt_match_receipt',
  'receipt_match_invoice',
  'returns_adopted',
  ...CLOSE_LOG,
];

const OWNER = 'remit_owner';
const SYNCER = 'remit_syncer';
const CLERK = 'remit_clerk';
const READER = 'remit_reader';

/**
 * The SQL that makes the four roles, unless they are there, and gives each exactly its rights: it may be run again at
 * any time. The names of tables are safe: they are the schema's.
 */
export function grantsSql({ schema, database, user, lock }: ServerPlace): string {
  const s = quotedName(schema);
  const table = (name: string) => `${s}.${name}`;
  const tables = (names: readonly string[]) => names.map(table).join(', ');
  const all = Object.keys(ALL_TABLES);
  const isAppendOnly = (name: string) => APPEND_ONLY.includes(name);
  const changeable = (names: readonly string[]) => tables(names.filter((name) => !isAppendOnly(name)));
  const appendable = (names: readonly string[]) => tables(names.filter(isAppendOnly));
  return `-- Rights on the ledger in the schema ${schema.replace(/[\r\n]/g, ' ')}: run as the owner of its tables, again after each update of remit.
-- Make each person or job a member of one role: grant ${CLERK} to rana;
begin;
do $$ declare role text; begin
  foreach role in array array['${OWNER}', '${SYNCER}', '${CLERK}', '${READER}'] loop
    begin
      if not exists (select 1 from pg_roles where rolname = role) then execute format('create role %I', role); end if;
    exception when insufficient_privilege then
      raise exception 'the role % is missing, and % may not make it', role, current_user
        using hint = format('Have whoever administers the server run: create role %I; then run this again.', role);
    end;
  end loop;
end $$;

-- Nobody has what is not granted below.
revoke all on schema ${s} from public, ${SYNCER}, ${CLERK}, ${READER};
revoke all on all tables in schema ${s} from public, ${SYNCER}, ${CLERK}, ${READER};

-- The owner migrates: it may make tables in the schema. The tables belong to whoever made the ledger.
grant usage, create on schema ${s} to ${OWNER};
${user === null ? '' : `alter default privileges for role ${quotedName(user)} in schema ${s} grant select on tables to ${SYNCER}, ${CLERK}, ${READER};\n`}
-- Everybody reads, and verify compares the schema with a temporary one.
grant connect, temporary on database ${quotedName(database)} to ${SYNCER}, ${CLERK}, ${READER};
grant usage on schema ${s} to ${SYNCER}, ${CLERK}, ${READER};
grant select on all tables in schema ${s} to ${SYNCER}, ${CLERK}, ${READER};

-- The syncer appends evidence and derives rows.
grant insert on ${appendable(all)} to ${SYNCER};
grant insert, update, delete on ${changeable(all)} to ${SYNCER};

-- The clerk decides.
grant insert on ${appendable(CLERK_TABLES)} to ${CLERK};
grant insert, update, delete on ${changeable(CLERK_TABLES)} to ${CLERK};
${lock === 'lease' ? `\n-- The lease that keeps a second sync out.\ngrant insert, update on ${table('remit_lease')} to ${SYNCER}, ${CLERK};\n` : ''}
-- Nobody changes what is append-only. Only the owner of the tables could grant it.
revoke update, delete, truncate on ${tables(APPEND_ONLY)} from public, ${SYNCER}, ${CLERK}, ${READER};
commit;`;
}
