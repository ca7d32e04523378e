import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { validate } from 'dockerfile-utils';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const dockerfile = readFileSync('Dockerfile', 'utf8');

interface Service {
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: object;
  readonly ports?: readonly string[];
  readonly network_mode?: string;
}

describe('the container', () => {
  it('passes a linter', () => {
    expect(validate(dockerfile)).toEqual([]);
    expect(validate(dockerfile.replace('USER remit', 'USR remit'))).not.toEqual([]);
  });

  it('is slim, runs as no root, keeps its books in a volume and says whether it is well', () => {
    const last = dockerfile.slice(dockerfile.lastIndexOf('FROM '));
    expect(last).toMatch(/^FROM node:\d+-bookworm-slim\n/);
    expect(last.indexOf('USER remit')).toBeGreaterThan(0);
    expect(last.indexOf('USER remit')).toBeLessThan(last.indexOf('ENTRYPOINT'));
    expect(last).toMatch(/^VOLUME \/books$/m);
    expect(last).toMatch(/^HEALTHCHECK .*\["remit", "doctor", "--quiet"\]$/m);
  });

  it('has a compose file in which each name is there, and nothing but the proxy is reached from outside', () => {
    const compose = parse(readFileSync('deploy/compose.yml', 'utf8')) as {
      services: Record<string, Service>;
      volumes: object;
      secrets: Record<string, { file: string }>;
    };
    const { services } = compose;
    for (const { secrets = [], volumes = [], depends_on = [] } of Object.values(services)) {
      for (const secret of secrets) expect(Object.keys(compose.secrets)).toContain(secret);
      for (const volume of volumes.filter((each) => !each.startsWith('./')))
        expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0]);
      const needed = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on);
      for (const name of needed) expect(Object.keys(services)).toContain(name);
    }
    expect(services.proxy?.network_mode).toBe('service:desk');
    expect(
      Object.entries(services).flatMap(([name, { ports = [] }]) => ports.map((port) => `${name} ${port}`)),
    ).toEqual(['desk 443:443']);
  });

  it('has a script for the night that a shell can read', () => {
    expect(spawnSync('sh', ['-n', 'deploy/night.sh']).status).toBe(0);
  });
});
