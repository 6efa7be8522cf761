import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call } from '@/testing/call'
import { makePerson, type Person } from '@/testing/people'
import { findSshKeygen } from '@/testing/programs.mjs'
import { useSite } from '@/testing/site'

const site = useSite()
const run = promisify(execFile)
const hasSshKeygen = (await findSshKeygen()) !== undefined
let home: string
let ada: Person

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'guildhall-keys-'))
  ada = await makePerson(site)
})
afterAll(() => rm(home, { recursive: true, force: true }))

/**
 * Creates a key pair and returns the path of the public key, or undefined if this ssh-keygen does not support
 * the type.
 */
async function makePair(type: string, bits: number): Promise<string | undefined> {
  const file = join(home, `${type}-${bits}`)
  const size = type === 'ed25519' ? [] : ['-b', String(bits)]
  const comment = `ada@${type}-${bits}`
  const made = run('ssh-keygen', ['-q', '-t', type, ...size, '-N', '', '-C', comment, '-f', file])
  return await made.then(
    () => `${file}.pub`,
    () => undefined,
  )
}

const fingerprintOf = async (file: string): Promise<string> =>
  (await run('ssh-keygen', ['-lf', file])).stdout.split(' ')[1] ?? ''

const add = (title: string, key: string) =>
  call(site, 'POST', '/user/keys', { as: ada, body: { title, key } })

describe.skipIf(!hasSshKeygen)('POST /user/keys with a key from ssh-keygen', () => {
  it.each([
    ['ed25519', 256],
    ['ecdsa', 256],
    ['ecdsa', 384],
    ['ecdsa', 521],
    ['rsa', 3072],
    ['rsa', 4096],
  ])('returns 201 for %s with %i bits and the fingerprint that ssh-keygen prints', async (type, bits) => {
    const file = (await makePair(type, bits)) ?? ''
    const line = (await readFile(file, 'utf8')).trim()
    const answer = await add(`${type} ${bits}`, line)
    expect(answer.status, answer.text).toBe(201)
    expect(answer.body).toMatchObject({ key: line, fingerprint: await fingerprintOf(file) })
  })

  it.each([
    ['rsa', 1024, 'Invalid key content: key length is not enough: got 1024, needs 3071'],
    ['rsa', 2048, 'Invalid key content: key length is not enough: got 2048, needs 3071'],
    ['dsa', 1024, 'Invalid key content: key type is not allowed: dsa'],
  ])('returns 422 for %s with %i bits, which is too weak', async (type, bits, message) => {
    const file = await makePair(type, bits)
    if (!file) return
    const answer = await add(`${type} ${bits}`, await readFile(file, 'utf8'))
    expect(answer.status).toBe(422)
    expect(answer.body.message).toContain(message)
  })

  it.each(['RFC4716', 'PKCS8'])(
    'returns 201 for the format %s and stores the key as one line',
    async form => {
      const file = (await makePair('rsa', form === 'PKCS8' ? 3073 : 3200)) ?? ''
      const { stdout } = await run('ssh-keygen', ['-e', '-m', form, '-f', file])
      const answer = await add(form, stdout)
      expect(answer.status, answer.text).toBe(201)
      expect(answer.body.key).toMatch(/^ssh-rsa \S+/)
      expect(answer.body.fingerprint).toBe(await fingerprintOf(file))
    },
  )

  it('returns 422 for the private key and says to paste the public key', async () => {
    const file = (await makePair('ed25519', 0)) ?? ''
    const answer = await add('private', await readFile(file.replace(/\.pub$/, ''), 'utf8'))
    expect(answer.status).toBe(422)
    expect(answer.body.message).toContain('the provided key is a private key')
    expect(answer.body.message).toContain('.pub')
  })
})
