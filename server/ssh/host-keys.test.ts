import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ssh2 from 'ssh2'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { useSite } from '@/testing/site'
import { loadHostKeys, publishHostKeys } from './host-keys'

const site = useSite()
let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'guildhall-host-keys-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

const withConfig = (config: object) => ({
  ...site.services,
  config: { ...site.services.config, dataDir: directory, ...config },
})

const shown = () => site.db.selectFrom('ssh_host_keys').select('public_key').orderBy('algorithm').execute()

it("publishHostKeys stores another server's public keys, and loadHostKeys replaces them with the built-in server's", async () => {
  const pairs = [
    ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 }),
    ssh2.utils.generateKeyPairSync('ed25519'),
  ]
  const files = pairs.map((_, index) => join(directory, `${index}.pub`))
  await Promise.all(
    pairs.map((pair, index) => writeFile(files[index] ?? '', `${pair.public} root@machine\n`)),
  )
  await loadHostKeys(withConfig({}))
  await publishHostKeys(withConfig({ sshHostKeyFiles: files }))
  expect(await shown()).toEqual(pairs.map(pair => ({ public_key: pair.public })))
  const own = await loadHostKeys(withConfig({}))
  expect(own.map(({ algorithm }) => algorithm)).toEqual(['ssh-ed25519', 'ssh-rsa'])
  expect(await shown()).toEqual(own.map(({ publicKey }) => ({ public_key: publicKey })))
})

it('loadHostKeys generates a host key again if the generated one cannot be read', async () => {
  const isBad = ({ private: key }: { private: string }) => ssh2.utils.parseKey(key) instanceof Error
  let bad = ssh2.utils.generateKeyPairSync('ed25519')
  while (!isBad(bad)) bad = ssh2.utils.generateKeyPairSync('ed25519')
  const generate = vi.spyOn(ssh2.utils, 'generateKeyPair')
  generate.mockImplementationOnce((...call: unknown[]) =>
    (call.at(-1) as (error: null, pair: typeof bad) => void)(null, bad),
  )
  await site.db.deleteFrom('ssh_host_keys').execute()
  const [own] = await loadHostKeys(withConfig({ dataDir: join(directory, 'made-again') }))
  expect(generate.mock.calls.map(([type]) => type)).toEqual(['ed25519', 'ed25519', 'rsa'])
  expect(ssh2.utils.parseKey(own?.privateKey ?? '')).not.toBeInstanceOf(Error)
  await site.db.deleteFrom('ssh_host_keys').execute()
  generate.mockRestore()
})

it('loadHostKeys rejects a file with only a public key, and publishHostKeys a file without any key', async () => {
  const file = join(directory, 'alone.pub')
  await writeFile(file, ssh2.utils.generateKeyPairSync('ed25519').public)
  await expect(loadHostKeys(withConfig({ sshHostKeyFiles: [file] }))).rejects.toThrow('no SSH private key')
  await writeFile(file, 'nothing')
  await expect(publishHostKeys(withConfig({ sshHostKeyFiles: [file] }))).rejects.toThrow('no SSH key')
})

it('loadHostKeys rejects a host key encrypted with another secret key, and keeps it for processes that have that key', async () => {
  const own = await loadHostKeys(withConfig({}))
  const other = withConfig({ secretKey: 'f'.repeat(64) })
  await expect(loadHostKeys(other)).rejects.toThrow('was encrypted with another secret key')
  expect(await loadHostKeys(withConfig({}))).toEqual(own)
  const sshHostKeyFiles = ['ed25519', 'rsa'].map(type => join(directory, 'ssh', `ssh_host_${type}_key`))
  await loadHostKeys({ ...other, config: { ...other.config, sshHostKeyFiles } })
  expect(await loadHostKeys(other)).toEqual(own)
  await loadHostKeys(withConfig({ sshHostKeyFiles }))
})

it('loadHostKeys makes the file of a private key readable only by its owner, whatever its mode was before', async () => {
  const [own] = await loadHostKeys(withConfig({}))
  const path = join(directory, 'ssh', 'ssh_host_ed25519_key')
  await chmod(path, 0o644)
  await loadHostKeys(withConfig({}))
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(await readFile(path, 'utf8')).toBe(own?.privateKey)
  expect(await readdir(join(directory, 'ssh'))).toHaveLength(4)
})
