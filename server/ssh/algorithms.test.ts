import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { makePerson } from '@/testing/people'
import { findSshAudit } from '@/testing/programs.mjs'
import { useSite } from '@/testing/site'
import { addGeneratedKey, hasSsh, runProgram, useSsh } from '@/testing/ssh'

const site = useSite()
const ssh = useSsh(site, {}, ['ed25519', 'rsa'])
const audit = await findSshAudit()

/** Returns the name lists in the server's first packet, which is not encrypted. */
async function offeredLists(): Promise<string[]> {
  const socket = connect(ssh.port, '127.0.0.1')
  socket.write('SSH-2.0-reader\r\n')
  let bytes: Buffer = Buffer.alloc(0)
  let start = 0
  // A line, followed by a packet that starts with its length.
  while (start === 0 || bytes.length < start + 4 || bytes.length < start + 4 + bytes.readUInt32BE(start)) {
    bytes = Buffer.concat([bytes, (await once(socket, 'data'))[0]])
    start = bytes.indexOf('\n') + 1
  }
  socket.destroy()
  const lists: string[] = []
  for (let at = start + 4 + 1 + 1 + 16; lists.length < 8; ) {
    const length = bytes.readUInt32BE(at)
    lists.push(bytes.toString('latin1', at + 4, at + 4 + length))
    at += 4 + length
  }
  return lists
}

describe.skipIf(!hasSsh)('the SSH server', () => {
  it('offers only the expected algorithms, none of them known to be weak, and strict key exchange', async () => {
    const ciphers =
      'aes128-gcm@openssh.com,aes256-gcm@openssh.com,chacha20-poly1305@openssh.com,aes256-ctr,aes192-ctr,aes128-ctr'
    const macs = 'hmac-sha2-256-etm@openssh.com,hmac-sha2-512-etm@openssh.com,hmac-sha2-256,hmac-sha2-512'
    const curves = 'ecdh-sha2-nistp256,ecdh-sha2-nistp384,ecdh-sha2-nistp521'
    expect(await offeredLists()).toEqual([
      `curve25519-sha256,curve25519-sha256@libssh.org,${curves},kex-strict-s-v00@openssh.com`,
      'ssh-ed25519,rsa-sha2-512,rsa-sha2-256',
      ciphers,
      ciphers,
      macs,
      macs,
      'none',
      'none',
    ])
  })

  it.each([
    ['key exchanges', 'kex', 'KexAlgorithms', [] as string[], /^(curve25519-sha256|ecdh-sha2-nistp)/],
    ['MACs', 'mac', 'MACs', ['-o', 'Ciphers=aes256-ctr'], /^hmac-sha2-(256|512)(-etm@openssh\.com)?$/],
  ])('accepts exactly the offered %s from OpenSSH', async (_, kind, option, others, expected) => {
    const { file } = await addGeneratedKey(site, ssh, await makePerson(site))
    const known = (await runProgram('ssh', ['-Q', kind])).stdout.trim().split('\n')
    const accepted: string[] = []
    for (const name of known) {
      const { code } = await ssh.run(file, ...others, '-o', `${option}=${name}`, 'git@127.0.0.1')
      if (code === 0) accepted.push(name)
    }
    expect(accepted).toEqual(known.filter(name => expected.test(name)))
    expect(accepted.length).toBeGreaterThan(3)
  })

  it('serves a client that supports only FIPS-approved algorithms', async () => {
    const { file } = await addGeneratedKey(site, ssh, await makePerson(site))
    const approved = [
      'KexAlgorithms=ecdh-sha2-nistp256,ecdh-sha2-nistp384,ecdh-sha2-nistp521',
      'MACs=hmac-sha2-256,hmac-sha2-512',
      'Ciphers=aes256-ctr,aes128-ctr',
      'HostKeyAlgorithms=rsa-sha2-512,rsa-sha2-256',
    ]
    const { code, stderr } = await ssh.run(file, ...approved.flatMap(each => ['-o', each]), 'git@127.0.0.1')
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('You are signed in') })
  })

  it('announces the signature algorithms that it accepts', async () => {
    const { file } = await addGeneratedKey(site, ssh, await makePerson(site))
    const { stderr } = await ssh.run(file, '-v', '-o', 'LogLevel=DEBUG1', 'git@127.0.0.1')
    expect(/server-sig-algs=<(.*)>/.exec(stderr)?.[1]?.split(',')).toEqual([
      'ssh-ed25519',
      'sk-ssh-ed25519@openssh.com',
      'ecdsa-sha2-nistp256',
      'ecdsa-sha2-nistp384',
      'ecdsa-sha2-nistp521',
      'sk-ecdsa-sha2-nistp256@openssh.com',
      'rsa-sha2-512',
      'rsa-sha2-256',
    ])
  })

  it.skipIf(!audit)('passes ssh-audit without failures, except for the NIST curves', async () => {
    const args = ['--skip-rate-test', '-p', String(ssh.port), '127.0.0.1']
    const run = promisify(execFile)(audit ?? '', ['--no-colors', ...args])
    const { stdout } = await run.catch((error: { stdout: string }) => error)
    expect(stdout).toContain('curve25519-sha256')
    const failures = stdout.split('\n').filter(line => line.includes('[fail]'))
    expect(failures.filter(line => !line.includes('ecdh-sha2-nistp'))).toEqual([])
  })
})
