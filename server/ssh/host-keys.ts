import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import ssh2 from 'ssh2'
import { ConfigError } from '@/server/kernel/config-error'
import { undefinedIfAbsent } from '@/server/kernel/fs/absent'
import { writeFileAtomic } from '@/server/kernel/fs/atomic-write'
import { makeDirectory } from '@/server/kernel/fs/fsync'
import { seal, unseal } from '@/server/kernel/seal'
import type { Services } from '@/server/services'

/** A host key, by which clients recognize the server. Both halves are in OpenSSH's format. */
export interface HostKey {
  /** Key type, such as `ssh-ed25519`. */
  algorithm: string
  publicKey: string
  privateKey: string
}

// ECDSA keys can only be configured as files. No client needs them, and their NIST curves are widely
// distrusted.
const made = {
  'ssh-ed25519': { file: 'ssh_host_ed25519_key', make: () => makeKey('ed25519') },
  'ssh-rsa': { file: 'ssh_host_rsa_key', make: () => makeKey('rsa', { bits: 3072 }) },
}

/**
 * Loads the host keys: those in the configured files, if any, otherwise those in the database, which all
 * processes share. Keys missing in the database are taken from the data directory or generated. Each key is
 * stored in both: encrypted in the database, and in a file readable only by its owner.
 * @throws {ConfigError} if a configured file has no private key, or the secret key does not decrypt a key in
 * the database.
 */
export async function loadHostKeys(services: Services): Promise<HostKey[]> {
  const { sshHostKeyFiles: files } = services.config
  if (files.length > 0) return await fromFiles(services, files)
  const directory = join(services.config.dataDir, 'ssh')
  await makeDirectory(directory)
  const keys: HostKey[] = []
  for (const [algorithm, { file, make }] of Object.entries(made)) {
    const path = join(directory, file)
    const text = await readFile(path, 'utf8').catch(undefinedIfAbsent)
    const there = text === undefined ? undefined : parse('GUILDHALL_DATA_DIR', path, text)
    const key = await sharedKey(services, algorithm, async () => there ?? (await make()))
    if (text !== key.privateKey || (await isOpenToOthers(path))) {
      await writeFile(`${path}.pub`, `${key.publicKey}\n`)
      await writeFileAtomic(path, key.privateKey)
    }
    keys.push(key)
  }
  // Removes keys from files that were configured before.
  await services.db.deleteFrom('ssh_host_keys').where('algorithm', 'not in', Object.keys(made)).execute()
  return keys
}

const isOpenToOthers = async (path: string): Promise<boolean> => ((await stat(path)).mode & 0o077) !== 0

/**
 * Stores the public keys in the configured files in the database, so that people can compare their
 * fingerprints. Used when another SSH server accepts the connections and has the private keys.
 * @throws {ConfigError} if a file has no SSH key.
 */
export async function publishHostKeys({ db, config: { sshHostKeyFiles: files } }: Services): Promise<void> {
  if (files.length === 0) return
  const keys = await Promise.all(files.map(async path => parsePublic(path, await readKeyFile(path))))
  await replaceRows(
    db,
    keys.map(({ algorithm, publicKey }) => ({
      algorithm,
      public_key: publicKey,
      sealed_private_key: Buffer.alloc(0),
    })),
  )
}

async function fromFiles({ db, config }: Services, files: readonly string[]): Promise<HostKey[]> {
  const keys = await Promise.all(
    files.map(async path => parse('GUILDHALL_SSH_HOST_KEYS', path, await readKeyFile(path))),
  )
  await replaceRows(
    db,
    keys.map(key => rowOf(config, key)),
  )
  return keys
}

async function readKeyFile(path: string): Promise<string> {
  return await readFile(path, 'utf8').catch((error: Error) => {
    throw new ConfigError(`GUILDHALL_SSH_HOST_KEYS: cannot read ${path}: ${error.message}`)
  })
}

async function replaceRows(db: Services['db'], rows: readonly ReturnType<typeof rowOf>[]): Promise<void> {
  await db.transaction().execute(async trx => {
    await trx.deleteFrom('ssh_host_keys').execute()
    await trx
      .insertInto('ssh_host_keys')
      .values(rows)
      .onConflict(conflict => conflict.column('algorithm').doNothing())
      .execute()
  })
}

/**
 * Returns the host key in the database. If there is none, or only another server's public key, stores and
 * returns `newKey`.
 */
async function sharedKey(
  { db, config }: Services,
  algorithm: string,
  newKey: () => Promise<HostKey>,
): Promise<HostKey> {
  const find = () =>
    db
      .selectFrom('ssh_host_keys')
      .select(['algorithm', 'public_key', 'sealed_private_key'])
      .where('algorithm', '=', algorithm)
      .executeTakeFirst()
  let row = await find()
  if (!row?.sealed_private_key.length) {
    const values = rowOf(config, await newKey())
    await db
      .insertInto('ssh_host_keys')
      .values(values)
      .onConflict(conflict =>
        conflict
          .column('algorithm')
          .doUpdateSet(values)
          .where('ssh_host_keys.sealed_private_key', '=', Buffer.alloc(0)),
      )
      .execute()
    // Another process may have inserted its key first.
    row = await find()
  }
  if (!row) throw new Error('the host key was deleted concurrently')
  return { algorithm, publicKey: row.public_key, privateKey: openKey(config, row) }
}

// Replacing the key would give processes different keys, and clients treat a changed host key as an attack.
function openKey(
  config: Services['config'],
  { algorithm, sealed_private_key: sealed }: { algorithm: string; sealed_private_key: Buffer },
): string {
  try {
    return unseal(config, 'ssh.hostKey', sealed)
  } catch {
    throw new ConfigError(
      `The SSH host key ${algorithm} in the database was encrypted with another secret key. Set GUILDHALL_SECRET_KEY to the key of the other processes. If that key is lost, set GUILDHALL_SSH_HOST_KEYS for one start to files with the host keys; the previous ones are in ssh/ in the data directory.`,
    )
  }
}

const rowOf = (config: Services['config'], { algorithm, publicKey, privateKey }: HostKey) => ({
  algorithm,
  public_key: publicKey,
  sealed_private_key: seal(config, 'ssh.hostKey', privateKey),
})

function parse(variable: string, path: string, text: string): HostKey {
  const key = ssh2.utils.parseKey(text)
  if (key instanceof Error || !key.isPrivateKey()) {
    throw new ConfigError(
      `${variable}: ${path} has no SSH private key without a passphrase; create one with ssh-keygen -N ''`,
    )
  }
  return { ...publicPart(key), privateKey: text }
}

function parsePublic(path: string, text: string): Omit<HostKey, 'privateKey'> {
  const key = ssh2.utils.parseKey(text)
  if (key instanceof Error) throw new ConfigError(`GUILDHALL_SSH_HOST_KEYS: ${path} has no SSH key`)
  return publicPart(key)
}

const publicPart = (key: ssh2.ParsedKey): Omit<HostKey, 'privateKey'> => ({
  algorithm: key.type,
  publicKey: `${key.type} ${key.getPublicSSH().toString('base64')}`,
})

function makeKey(type: 'ed25519'): Promise<HostKey>
function makeKey(type: 'rsa', options: { bits: number }): Promise<HostKey>
async function makeKey(type: 'ed25519' | 'rsa', options = {}): Promise<HostKey> {
  for (let tries = 0; tries < 100; tries++) {
    const pair = await new Promise<{ public: string; private: string }>((resolve, reject) => {
      ssh2.utils.generateKeyPair(type as 'ed25519', options, (error: Error | null, pair) =>
        error ? reject(error) : resolve(pair),
      )
    })
    // One in 256 generated Ed25519 keys cannot be read, because the library omits a leading zero byte of its
    // public half.
    if (!(ssh2.utils.parseKey(pair.private) instanceof Error)) {
      return { algorithm: `ssh-${type}`, publicKey: pair.public.trim(), privateKey: pair.private }
    }
  }
  throw new Error(`cannot generate a readable SSH host key of type ${type}`)
}
