import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import ssh2 from 'ssh2'
import { ConfigError } from '@/server/kernel/config-error'
import { undefinedIfAbsent } from '@/server/kernel/fs/absent'
import { writeFileAtomic } from '@/server/kernel/fs/atomic-write'
import { makeDirectory } from '@/server/kernel/fs/fsync'
import { seal, unseal } from '@/server/kernel/seal'
import type { Services } from '@/server/services'

/** A key that clients know the server by. Both halves are in OpenSSH's format. */
export interface HostKey {
  /** Such as `ssh-ed25519`. */
  algorithm: string
  publicKey: string
  privateKey: string
}

// ECDSA can be given as a file. No client needs it, and its curves of NIST are distrusted.
const made = {
  'ssh-ed25519': { file: 'ssh_host_ed25519_key', make: () => makeKey('ed25519') },
  'ssh-rsa': { file: 'ssh_host_rsa_key', make: () => makeKey('rsa', { bits: 3072 }) },
}

/**
 * Loads the host keys: those in the files that the settings name, or those of the database, which every process on it
 * shares. Keys that the database lacks are taken from the data directory, or made; each is kept in both, sealed in one and
 * readable for the owner alone in the other.
 * @throws {ConfigError} for files that hold no private key, and a key of the database that the secret key does not open.
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
  // Those of files that the settings named before.
  await services.db.deleteFrom('ssh_host_keys').where('algorithm', 'not in', Object.keys(made)).execute()
  return keys
}

const isOpenToOthers = async (path: string): Promise<boolean> => ((await stat(path)).mode & 0o077) !== 0

/**
 * Puts the public keys in the files that the settings name into the database, for people to compare: those of the program
 * that takes SSH connections for us, whose private keys we neither have nor need.
 * @throws {ConfigError} for files that hold no key.
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

/** The key of the database; `newKey` becomes it where there is none, or the public one of another server alone. */
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
    // Another process may have been quicker.
    row = await find()
  }
  if (!row) throw new Error('the host key is gone')
  return { algorithm, publicKey: row.public_key, privateKey: openKey(config, row) }
}

// A new key in its place would part the processes, and clients take a server whose key changes for somebody else's.
function openKey(
  config: Services['config'],
  { algorithm, sealed_private_key: sealed }: { algorithm: string; sealed_private_key: Buffer },
): string {
  try {
    return unseal(config, 'ssh.hostKey', sealed)
  } catch {
    throw new ConfigError(
      `The SSH host key ${algorithm} of the database was encrypted with another secret key. Set GUILDHALL_SECRET_KEY to that of the other processes. If it is lost, set GUILDHALL_SSH_HOST_KEYS for one start to files with the host keys; those of before are in ssh/ in the data directory.`,
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
      `${variable}: ${path} holds no SSH private key without a password; make one with ssh-keygen -N ''`,
    )
  }
  return { ...publicPart(key), privateKey: text }
}

function parsePublic(path: string, text: string): Omit<HostKey, 'privateKey'> {
  const key = ssh2.utils.parseKey(text)
  if (key instanceof Error) throw new ConfigError(`GUILDHALL_SSH_HOST_KEYS: ${path} holds no SSH key`)
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
    // One of 256 Ed25519 keys lacks the first byte of its public half, which is zero, and cannot be read.
    if (!(ssh2.utils.parseKey(pair.private) instanceof Error)) {
      return { algorithm: `ssh-${type}`, publicKey: pair.public.trim(), privateKey: pair.private }
    }
  }
  throw new Error(`no SSH host key of type ${type} that was made can be read`)
}
