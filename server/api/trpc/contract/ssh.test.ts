import { afterEach, describe, expect, it } from 'vitest'
import { Browser } from '@/testing/browser'
import { newKey } from '@/testing/keys'
import { useSite } from '@/testing/site'

const site = useSite()

const address = { user: 'git', host: 'forge.example.com', port: 2222 }
const ask = async () => (await new Browser(site).query('instance.getSsh')).data

async function addHostKey(algorithm: string) {
  const key = newKey('root@forge')
  await site.db
    .insertInto('ssh_host_keys')
    .values({ algorithm, public_key: key.text, sealed_private_key: Buffer.from('sealed') })
    .execute()
  return key
}

describe('instance.getSsh', () => {
  afterEach(() => site.db.deleteFrom('ssh_host_keys').execute())

  it('returns the address to everyone, even before the server has host keys', async () => {
    expect(await ask()).toEqual({ address, host_keys: [] })
  })

  it('returns the host keys in the formats that ssh prints and stores, the preferred one first', async () => {
    await addHostKey('ecdsa-sha2-nistp256')
    const { text, fingerprint } = await addHostKey('ssh-ed25519')
    const { host_keys } = await ask()
    expect(host_keys).toHaveLength(2)
    expect(host_keys[0]).toEqual({
      algorithm: 'ed25519',
      bits: 256,
      fingerprint,
      known_hosts: `[forge.example.com]:2222 ${text.replace(' root@forge', '')}`,
    })
  })
})
