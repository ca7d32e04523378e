import type { ServerPlace } from '../../../base/place.ts';
import type { TableRights } from '../dialect.ts';
import { quoted } from './client.ts';

const OWNER = 'remit_owner';
const SYNCER = 'remit_syncer';
const CLERK = 'remit_clerk';
const READER = 'remit_reader';

/**
 * The SQL that makes four roles where they are missing and gives each exactly its rights: it may be run again at any time. All names
 * of tables are remit's own.
 */
export function grantsSql({ schema, database, user, lock }: ServerPlace, rights: TableRights): string {
  const s = quoted(schema);
  const table = (name: string) => `${s}.${name}`;
  const tables = (names: readonly string[]) => names.map(table).join(', ');
  const isAppendOnly = (name: string) => rights.appendOnly.includes(name);
  const changed = (names: readonly string[]) => tables(names.filter((name) => !isAppendOnly(name)));
  const appended = (names: readonly string[]) => tables(names.filter(isAppendOnly));
  return `-- Rights on the ledger in the schema ${schema.replace(/[\r\n]/g, ' ')}: run as the owner of its tables, again after each update of remit.
-- Make each person or job a member of one role: grant ${CLERK} to rana;
begin;
do $$ declare role text; begin
  foreach role in array array['${OWNER}', '${SYNCER}', '${CLERK}', '${READER}'] loop
    if not exists (select 1 from pg_roles where rolname = role) then execute format('create role %I', role); end if;
  end loop;
end $$;

-- Nobody has what is not granted below.
revoke all on schema ${s} from public, ${SYNCER}, ${CLERK}, ${READER};
revoke all on all tables in schema ${s} from public, ${SYNCER}, ${CLERK}, ${READER};

-- The owner migrates: it may make tables in the schema. The tables belong to whoever made the ledger.
grant usage, create on schema ${s} to ${OWNER};
${user === null ? '' : `alter default privileges for role ${quoted(user)} in schema ${s} grant select on tables to ${SYNCER}, ${CLERK}, ${READER};\n`}
-- Everybody reads, and verify compares the schema with a temporary one.
grant connect, temporary on database ${quoted(database)} to ${SYNCER}, ${CLERK}, ${READER};
grant usage on schema ${s} to ${SYNCER}, ${CLERK}, ${READER};
grant select on all tables in schema ${s} to ${SYNCER}, ${CLERK}, ${READER};

-- The syncer appends evidence and derives rows.
grant insert on ${appended(rights.all)} to ${SYNCER};
grant insert, update, delete on ${changed(rights.all)} to ${SYNCER};

-- The clerk decides.
grant insert on ${appended(rights.clerk)} to ${CLERK};
grant insert, update, delete on ${changed(rights.clerk)} to ${CLERK};
${lock === 'lease' ? `\n-- The lease that keeps a second sync out.\ngrant insert, update on ${table('remit_lease')} to ${SYNCER}, ${CLERK};\n` : ''}
-- Nobody changes what is append-only. Only the owner of the tables could grant it.
revoke update, delete, truncate on ${tables(rights.appendOnly)} from public, ${SYNCER}, ${CLERK}, ${READER};
commit;`;
}
