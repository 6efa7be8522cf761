import { sql } from 'kysely'
import type { Db } from '@/db/client'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { readStoredKey } from '@/server/keys'
import type { SshAccess, SshAddress } from './schema'

/**
 * Returns the SSH address of the site and its host keys. There are no keys until the SSH server has started
 * once.
 */
export async function describeSsh({ config, db }: Pick<ServiceCtx, 'config' | 'db'>): Promise<SshAccess> {
  const address = config.sshAddress
  if (!address) return { address: null, host_keys: [] }
  const lines = await selectHostKeys(db)
  const host_keys = lines.map(line => ({
    ...readStoredKey(line),
    known_hosts: `${knownHost(address)} ${line.split(' ', 2).join(' ')}`,
  }))
  return { address, host_keys }
}

// A known_hosts line requires brackets around the host only if it includes a port.
const knownHost = ({ host, port }: SshAddress): string => (port === 22 ? host : `[${host}]:${port}`)

// The key that clients prefer comes first.
async function selectHostKeys(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('ssh_host_keys')
    .select('public_key')
    .orderBy(sql`algorithm <> 'ssh-ed25519'`)
    .orderBy('algorithm')
    .execute()
  return rows.map(row => row.public_key)
}
