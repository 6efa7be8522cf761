import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { makeKey } from '@/db/testing/factories'
import { parsePublicKey } from '@/server/keys/ssh/parse'
import { keptLog } from '@/testing/kept-log'
import { makePerson } from '@/testing/people'
import { startSecurityKeyAgent } from '@/testing/security-key-agent'
import { useSite } from '@/testing/site'
import { addGeneratedKey, connectSsh, generateKey, hasSsh, useSsh } from '@/testing/ssh'

const { log, text } = keptLog()
const site = useSite({}, log)
const ssh = useSsh(site)

async function addKey(publicKey: string, overrides: Parameters<typeof makeKey>[2] = {}) {
  const person = await makePerson(site)
  const { content, fingerprint } = parsePublicKey(publicKey)
  return { person, key: await makeKey(site.db, person.account.id, { content, fingerprint, ...overrides }) }
}

const refused = {
  code: 255,
  stdout: '',
  stderr: expect.stringMatching(/Permission denied \(publickey\)\.\r?\n$/),
}

describe.skipIf(!hasSsh)('signing in over SSH', () => {
  it.each([
    ['ed25519', []],
    ['ecdsa', ['-b', '256']],
    ['ecdsa', ['-b', '384']],
    ['ecdsa', ['-b', '521']],
    ['rsa', ['-b', '3072']],
  ])('accepts a key created with ssh-keygen -t %s %j and greets its owner', async (type, options) => {
    const { file, publicKey } = await generateKey(ssh.directory, type, ...options)
    const { person, key } = await addKey(publicKey)
    const { code, stderr } = await ssh.run(file, 'git@127.0.0.1')
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining(`Hi ${person.name}!`) })
    expect(stderr).toContain(`“${key.title}”`)
  })

  it('accepts RSA signatures with SHA-256 and SHA-512, but never with SHA-1', async () => {
    const { file, publicKey } = await generateKey(ssh.directory, 'rsa', '-b', '3072')
    await addKey(publicKey)
    const sign = (algorithm: string) =>
      ssh.run(file, '-o', `PubkeyAcceptedAlgorithms=${algorithm}`, 'git@127.0.0.1')
    expect((await sign('rsa-sha2-256')).code).toBe(0)
    expect((await sign('rsa-sha2-512')).code).toBe(0)
    expect(await sign('ssh-rsa')).toMatchObject({ code: 255 })
  })

  it.each(['sk-ssh-ed25519@openssh.com', 'sk-ecdsa-sha2-nistp256@openssh.com'] as const)(
    'accepts an %s security key from an agent only if it is touched',
    async kind => {
      const agent = await startSecurityKeyAgent(ssh.directory, kind)
      const { person } = await addKey(agent.publicKey)
      const identity = { agent: agent.socket }
      for (let round = 0; round < 3; round++) {
        const { stderr } = await ssh.run(identity, 'git@127.0.0.1')
        expect(stderr).toContain(`Hi ${person.name}!`)
      }
      agent.touch(false)
      expect(await ssh.run(identity, 'git@127.0.0.1')).toMatchObject(refused)
      agent.close()
    },
  )

  it('refuses unknown keys, expired keys, and disabled accounts with the same message, and logs the reason', async () => {
    const unknown = await generateKey(ssh.directory)
    const expired = await addGeneratedKey(site, ssh, await makePerson(site), { expires_at: new Date(0) })
    const holder = await makePerson(site)
    const locked = await addGeneratedKey(site, ssh, holder)
    await site.db
      .updateTable('users')
      .set({ prohibit_login: true })
      .where('id', '=', holder.account.id)
      .execute()
    for (const [file, reason] of [
      [unknown.file, 'unknown'],
      [expired.file, 'expired'],
      [locked.file, 'account'],
    ] as const) {
      expect(await ssh.run(file, 'git@127.0.0.1')).toMatchObject(refused)
      expect(text().split(`"reason":"${reason}"`)).toHaveLength(2)
    }
  })

  it('accepts no passwords or other methods, only public keys', async () => {
    const { stderr } = await ssh.run('/dev/null', '-v', 'git@127.0.0.1')
    expect(stderr).toMatch(/Authentications that can continue: publickey\r?\n/)
  })

  it('refuses a deleted key and closes its open connections', async () => {
    const person = await makePerson(site)
    const { file, key } = await addGeneratedKey(site, ssh, person)
    const client = await connectSsh(ssh, file)
    const closed = once(client, 'close')
    const headers = { Authorization: `token ${person.token}` }
    const { status } = await fetch(`${site.url}/api/v1/user/keys/${key.id}`, { method: 'DELETE', headers })
    expect(status).toBe(204)
    await closed
    expect(await ssh.run(file, 'git@127.0.0.1')).toMatchObject(refused)
  })

  it("records the time and address of a key's last use at most once per minute", async () => {
    const { file, key } = await addGeneratedKey(site, ssh, await makePerson(site))
    const use = () =>
      site.db
        .selectFrom('public_keys')
        .select(['last_used_at', 'last_used_address'])
        .where('id', '=', key.id)
        .executeTakeFirstOrThrow()
    await ssh.run(file, 'git@127.0.0.1')
    await expect.poll(use).toMatchObject({ last_used_address: '127.0.0.1' })
    const first = await use()
    await ssh.run(file, 'git@127.0.0.1')
    expect(await use()).toEqual(first)
  })
})
