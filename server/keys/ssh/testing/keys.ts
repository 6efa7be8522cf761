import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect } from 'vitest'
import { type DomainError, isDomainError } from '@/server/kernel/errors'
import { undefinedIfAbsent } from '@/server/kernel/fs/absent'
import { findSshKeygen } from '@/testing/programs.mjs'
import { parsePublicKey } from '../parse'

const run = promisify(execFile)
export const hasSshKeygen: boolean = (await findSshKeygen()) !== undefined

/** Runs ssh-keygen and returns its standard output. */
export const sshKeygen = async (...args: string[]): Promise<string> => (await run('ssh-keygen', args)).stdout

export interface GeneratedKeys {
  /** Directory with the key pairs, such as `rsa-4096` and `rsa-4096.pub`. */
  dir: string
  /** Contents of the .pub files by name, such as `rsa-4096`. Keys that this ssh-keygen cannot create are absent. */
  pub: Record<string, string>
}

/**
 * Generates SSH key pairs before the tests of a file run, and deletes them afterward. Names such as
 * `rsa-4096` select the type and size. Generates none if ssh-keygen is missing.
 */
export function useGeneratedKeys(...names: string[]): GeneratedKeys {
  const keys: GeneratedKeys = { dir: '', pub: {} }
  beforeAll(async () => {
    keys.dir = await mkdtemp(join(tmpdir(), 'ssh-key-'))
    if (hasSshKeygen) await Promise.all(names.map(name => generate(keys, name)))
  }, 120_000)
  afterAll(() => rm(keys.dir, { recursive: true, force: true }))
  return keys
}

async function generate({ dir, pub }: GeneratedKeys, name: string): Promise<void> {
  const [type = '', bits = ''] = name.split('-')
  const file = join(dir, name)
  await sshKeygen('-q', '-t', type, '-b', bits, '-N', '', '-C', 'me at home', '-f', file).catch(error => {
    // Current versions of OpenSSH no longer create them.
    if (type !== 'dsa') throw error
  })
  const text = await readFile(`${file}.pub`, 'utf8').catch(undefinedIfAbsent)
  if (text !== undefined) pub[name] = text
}

/** Returns the fingerprint that ssh-keygen prints for a public key. */
export async function fingerprintBySshKeygen(text: string): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'ssh-key-'))
  const file = join(dir, 'key.pub')
  await writeFile(file, `${text.trim()}\n`)
  const printed = await sshKeygen('-lf', file)
  await rm(dir, { recursive: true })
  return printed.split(' ')[1]!
}

/** Returns the error with which `parsePublicKey` rejects a text. Fails the test if the text is accepted. */
export function refusal(text: string): DomainError {
  try {
    parsePublicKey(text)
  } catch (error) {
    if (isDomainError(error)) {
      expect(error).toMatchObject({ kind: 'unprocessable', field: 'key' })
      return error
    }
    throw error
  }
  throw new Error('the text was accepted')
}

export type Field = string | Buffer

/** Encodes fields in SSH wire format: each field is preceded by its length in four bytes. */
export function blobOf(...fields: Field[]): Buffer {
  const parts = fields.map(field => {
    const bytes = Buffer.from(field as Buffer)
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bytes.length)
    return Buffer.concat([length, bytes])
  })
  return Buffer.concat(parts)
}

/** Returns a copy with one byte set, at an index that wraps around. */
export function withByte(bytes: Buffer, at: number, value: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[at % copy.length] = value
  return copy
}

/** Generates an elliptic curve key and returns its uncompressed public point. */
export function pointOf(curve: 'P-256' | 'P-384' | 'P-521'): Buffer {
  const { x, y } = generateKeyPairSync('ec', { namedCurve: curve }).publicKey.export({ format: 'jwk' })
  return Buffer.concat([Buffer.from([4]), Buffer.from(x!, 'base64url'), Buffer.from(y!, 'base64url')])
}
