import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { newObjectKey } from '../key'
import { type Backend, from } from './contract'

/** Defines tests for the guarantees of signed URLs, on a server that verifies signatures. */
export function describeSignedUrls(backend: Backend): void {
  const contentDisposition = `attachment; filename="a b.zip"; filename*=UTF-8''%E2%82%AC.zip`
  const answer = { contentType: 'application/zip', contentDisposition }

  async function signed(expiresInSeconds: number): Promise<URL> {
    const key = newObjectKey()
    await backend.storage.put(key, from(Buffer.from('bytes')))
    return new URL((await backend.storage.signedUrl(key, { ...answer, expiresInSeconds })) ?? '')
  }

  it('a signed URL responds with the content type and name it was created with', async () => {
    const response = await fetch(await signed(60))
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/zip')
    expect(response.headers.get('content-disposition')).toBe(contentDisposition)
    expect(await response.text()).toBe('bytes')
  })

  it('a signed URL supports ranges', async () => {
    const response = await fetch(await signed(60), { headers: { range: 'bytes=1-3' } })
    expect(response.status).toBe(206)
    expect(await response.text()).toBe('yte')
  })

  it('a signed URL allows nothing else', async () => {
    const url = await signed(60)
    const disposition = [...url.searchParams.keys()].find(name => /disposition|rscd/.test(name)) ?? ''
    const renamed = new URL(url)
    renamed.searchParams.set(disposition, 'inline')
    const elsewhere = new URL(url)
    elsewhere.pathname = (await signed(60)).pathname
    for (const changed of [renamed, elsewhere]) expect((await fetch(changed)).status).toBe(403)
    expect((await fetch(url, { method: 'DELETE' })).status).toBe(403)
    expect((await fetch(url)).status).toBe(200)
  })

  it('a signed URL expires', async () => {
    const url = await signed(1)
    await sleep(2100)
    expect((await fetch(url)).status).toBe(403)
  })
}
