import { describe, expect, it } from 'vitest'
import { makeRelease } from '@/db/testing/factories'
import { sweepObjects } from '@/server/kernel/storage/sweep'
import { sweepAttachmentsJob } from '@/server/releases/assets/remove'
import { jobContext } from '@/server/services'
import { call } from '@/testing/call'
import { makePerson } from '@/testing/people'
import { makeReleaseCast, releaseRoles } from '@/testing/release-cast'
import { insertFiles, makeAssetTarget, upload, waysToUpload } from '@/testing/releases'
import { useSite } from '@/testing/site'

const site = useSite()
const makeTarget = () => makeAssetTarget(site)

describe('GET …/assets', () => {
  it('returns 200 and all files sorted by name, without pagination, with URLs by name', async () => {
    const target = await makeAssetTarget(site, { tag_name: 'rel/ü 1' })
    await insertFiles(site, target, [
      'b',
      'a',
      'ä#1',
      'B',
      ...Array.from({ length: 60 }, (_, index) => `c${100 + index}`),
    ])
    const answer = await call(site, 'GET', `${target.path}?page=2&limit=10`)
    const names = answer.body.map((file: { name: string }) => file.name)
    expect([answer.status, names.slice(0, 3), names.length, names.at(-1)]).toEqual([
      200,
      ['B', 'a', 'b'],
      64,
      'ä#1',
    ])
    expect([answer.headers.get('x-total-count'), answer.headers.get('link')]).toEqual([null, null])
    const html = `${site.url}/${target.ada.name}/${target.repository.name}`
    expect(answer.body.at(-1).browser_download_url).toBe(
      `${html}/releases/download/rel/%C3%BC%201/%C3%A4%231`,
    )
    expect((await call(site, 'GET', target.path.replace('/assets', ''))).body.assets).toEqual(answer.body)
  })

  it('returns 200 and both files of the same name, and gives all files permanent URLs', async () => {
    const target = await makeTarget()
    for (const name of ['a', 'b', 'a']) await upload(site, target, { name })
    const { body } = await call(site, 'GET', target.path)
    expect(body.map((file: { name: string }) => file.name)).toEqual(['a', 'a', 'b'])
    for (const file of body) expect(file.browser_download_url).toBe(`${site.url}/attachments/${file.uuid}`)
  })
})

describe('…/assets/{attachment_id}', () => {
  it('returns 200 and one file with its permanent URL for GET', async () => {
    const target = await makeTarget()
    const file = await upload(site, target, { name: 'a' })
    const answer = await call(site, 'GET', `${target.path}/${file.id}`)
    expect([answer.status, answer.body]).toEqual([200, file])
  })

  it.each(['GET', 'PATCH', 'DELETE'])(
    'returns 404 for %s if the file does not exist or belongs to another release',
    async method => {
      const [target, other] = [await makeTarget(), await makeTarget()]
      const file = await upload(site, other, { name: 'a' })
      const sibling = await makeRelease(site.db, target.repository.id)
      const own = await upload(site, target, { name: 'b' })
      const paths = [
        `${target.path}/999999`,
        `${target.path}/x`,
        `${target.path}/${file.id}`,
        `${target.path.replace(/\d+\/assets/, `${sibling.id}/assets`)}/${own.id}`,
        `${other.path.replace(/\d+\/assets/, `${target.release.id}/assets`)}/${own.id}`,
      ]
      for (const path of paths) {
        const answer = await call(site, method, path, {
          as: target.ada,
          ...(method === 'PATCH' && { body: { name: 'c' } }),
        })
        expect([answer.status, answer.body.message], path).toEqual([404, 'not found'])
      }
    },
  )

  it('returns 201 and changes the name for PATCH', async () => {
    const target = await makeTarget()
    const file = await upload(site, target, { name: 'a' })
    const answer = await call(site, 'PATCH', `${target.path}/${file.id}`, {
      as: target.ada,
      body: { name: 'b "ü"' },
    })
    expect([answer.status, answer.body]).toEqual([201, { ...file, name: 'b "ü"' }])
  })

  it('returns 201 for PATCH and keeps only the last segment of a path', async () => {
    const target = await makeTarget()
    const file = await upload(site, target, { name: 'a' })
    const answer = await call(site, 'PATCH', `${target.path}/${file.id}`, {
      as: target.ada,
      body: { name: '../b\\c' },
    })
    expect([answer.status, answer.body.name]).toEqual([201, 'c'])
  })

  it.each([[{}], [{ name: '' }], [{ name: null }], [{ name: '..' }]])(
    'returns 201 for PATCH with %j and changes nothing',
    async body => {
      const target = await makeTarget()
      const file = await upload(site, target, { name: 'a' })
      const answer = await call(site, 'PATCH', `${target.path}/${file.id}`, { as: target.ada, body })
      expect([answer.status, answer.body]).toEqual([201, file])
    },
  )

  it.each([['a'.repeat(256)], ['a\u0000']])('returns 422 for PATCH with the name %j', async name => {
    const target = await makeTarget()
    const file = await upload(site, target, { name: 'a' })
    const answer = await call(site, 'PATCH', `${target.path}/${file.id}`, { as: target.ada, body: { name } })
    expect([answer.status, answer.body.message]).toEqual([422, expect.stringContaining('attachment name')])
  })

  it('returns 204 for DELETE and removes the file everywhere', async () => {
    const target = await makeTarget()
    const file = await upload(site, target, { name: 'a' })
    const path = `${target.path}/${file.id}`
    const answer = await call(site, 'DELETE', path, { as: target.ada })
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect((await call(site, 'GET', target.path)).body).toEqual([])
    for (const method of ['GET', 'DELETE'])
      expect((await call(site, method, path, { as: target.ada })).status).toBe(404)
  })

  it('permanently deletes a removed file and its bytes after a day', async () => {
    const target = await makeTarget()
    const [file, kept] = [
      await upload(site, target, { name: 'a' }),
      await upload(site, target, { name: 'b' }),
    ]
    const keyOf = async (id: number) => {
      const row = await site.db
        .selectFrom('attachments')
        .select('storage_key')
        .where('id', '=', id)
        .executeTakeFirst()
      return row?.storage_key ?? ''
    }
    const [key, keptKey] = [await keyOf(file.id), await keyOf(kept.id)]
    await call(site, 'DELETE', `${target.path}/${file.id}`, { as: target.ada })
    const sweepIn = async (hours: number) => {
      site.now.set(new Date(Date.now() + hours * 3_600_000))
      const ctx = jobContext(site.services, 'sweep')
      await sweepAttachmentsJob.run(ctx, new AbortController().signal)
      await site.db
        .updateTable('unused_objects')
        .set({ sweep_after: new Date() })
        .where('storage_key', '=', key)
        .execute()
      await sweepObjects(ctx)
      site.now.set(undefined)
      return await site.services.storage.size(key)
    }
    expect(await sweepIn(23)).toBe(5)
    expect(await sweepIn(25)).toBeUndefined()
    expect(await keyOf(file.id)).toBe('')
    expect(await site.services.storage.size(keptKey)).toBe(5)
  })

  it('returns 403 for PATCH and DELETE without permission to write releases', async () => {
    const target = await makeTarget()
    const file = await upload(site, target, { name: 'a' })
    const stranger = await makePerson(site)
    for (const method of ['PATCH', 'DELETE']) {
      const answer = await call(site, method, `${target.path}/${file.id}`, { as: stranger, body: {} })
      expect([answer.status, answer.body.message]).toEqual([
        403,
        'user should have a permission to write to a repo',
      ])
    }
  })
})

describe.each(waysToUpload)('POST …/assets?replace=true with %s', (_, send) => {
  it('returns 201 and replaces only the file with exactly this name', async () => {
    const target = await makeTarget()
    const [old, other] = [
      await upload(site, target, { name: 'a' }),
      await upload(site, target, { name: 'A' }),
    ]
    const answer = await send(site, target.path, target.ada, { name: 'a', bytes: 'new', replace: true })
    expect([answer.status, answer.body.size]).toEqual([201, 3])
    const { body } = await call(site, 'GET', target.path)
    expect(body.map((file: { id: number }) => file.id)).toEqual([other.id, answer.body.id])
    expect((await call(site, 'GET', `${target.path}/${old.id}`)).status).toBe(404)
  })

  it('keeps the old file if the new one is rejected', async () => {
    const target = await makeTarget()
    const old = await upload(site, target, { name: 'a' })
    site.services.config.releaseMaxBytes = 10
    const answer = await send(site, target.path, target.ada, {
      name: 'a',
      bytes: 'x'.repeat(11),
      replace: true,
    })
    site.services.config.releaseMaxBytes = 1_000_000
    expect(answer.status).toBe(413)
    expect((await call(site, 'GET', `${target.path}/${old.id}`)).status).toBe(200)
  })

  it('keeps one of several concurrent replacements', async () => {
    const target = await makeTarget()
    await upload(site, target, { name: 'a' })
    const all = Array.from({ length: 5 }, (_, index) =>
      send(site, target.path, target.ada, { name: 'a', bytes: `new ${index}`, replace: true }),
    )
    expect(new Set((await Promise.all(all)).map(answer => answer.status))).toEqual(new Set([201]))
    expect((await call(site, 'GET', target.path)).body).toHaveLength(1)
  })
})

describe('the files of a draft', () => {
  const mayWrite = ['releases writer', 'owner', 'site admin']

  it.each(releaseRoles)(
    'are visible to %s only with permission to write releases, and with a token only if it has write scope',
    async role => {
      const cast = await makeReleaseCast(site)
      const draft = await makeRelease(site.db, cast.repository.id, { is_draft: true })
      const path = `${cast.path}/releases/${draft.id}/assets`
      const file = await upload(site, { path, ada: cast.as.owner as never }, { name: 'a' })
      const as = cast.as[role]
      const options = as ? { as } : {}
      const statuses = async () => [
        (await call(site, 'GET', path, options)).status,
        (await call(site, 'GET', `${path}/${file.id}`, options)).status,
        (await call(site, 'POST', `${path}?name=b`, { ...options, raw: 'b' })).status,
        (await call(site, 'PATCH', `${path}/${file.id}`, { ...options, body: {} })).status,
        (await call(site, 'DELETE', `${path}/${file.id}`, options)).status,
      ]
      const refused = { anonymous: 401, 'writer with a read-only token': 403 }[role as string] ?? 404
      expect(await statuses()).toEqual(
        mayWrite.includes(role) ? [200, 200, 201, 201, 204] : [404, 404, refused, refused, refused],
      )
    },
  )
})

it('POST …/assets checks the write permission again after the upload', async () => {
  const target = await makeTarget()
  const body = new ReadableStream({
    async start(controller) {
      controller.enqueue(Buffer.from('begun'))
      await new Promise(resolve => setTimeout(resolve, 300))
      await site.db
        .updateTable('users')
        .set({ is_active: false })
        .where('id', '=', target.ada.account.id)
        .execute()
      controller.close()
    },
  })
  const headers = { authorization: `token ${target.ada.token}` }
  const init = { method: 'POST', headers, body, duplex: 'half' }
  const answer = await fetch(`${site.url}/api/v1${target.path}?name=a`, init as RequestInit)
  expect(answer.status).toBe(403)
  expect((await call(site, 'GET', target.path)).body).toEqual([])
})
