import { giteaApi } from 'gitea-js'
import { describe, expect, it } from 'vitest'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

describe('unmodified gitea-js', () => {
  it('creates, finds, lists, edits, publishes, and deletes releases', async () => {
    const ada = await makePerson(site)
    const { user, repos } = giteaApi(site.url, { token: ada.token })
    await user.createCurrentUserRepo({ name: 'engine', auto_init: true })
    const at = [ada.name, 'engine'] as const
    await expect(repos.repoGetReleaseByTag(...at, 'v1.0')).rejects.toMatchObject({ status: 404 })
    const made = await repos.repoCreateRelease(...at, {
      tag_name: 'v1.0',
      name: 'First',
      body: 'Notes',
      draft: true,
      prerelease: false,
      target_commitish: 'main',
    })
    expect([made.status, made.data.draft]).toEqual([201, true])
    const id = made.data.id ?? 0
    expect((await repos.repoGetReleaseByTag(...at, 'v1.0')).data).toEqual(made.data)
    const edited = await repos.repoEditRelease(...at, id, { draft: false, body: 'More' })
    expect(edited.data).toMatchObject({ id, draft: false, body: 'More', name: 'First' })
    expect((await repos.repoGetRelease(...at, id)).data).toEqual(edited.data)
    expect((await repos.repoGetLatestRelease(...at)).data).toEqual(edited.data)
    const query = { draft: false, 'pre-release': false, page: 1, limit: 10 }
    expect((await repos.repoListReleases(...at, query)).data).toEqual([edited.data])
    expect((await repos.repoListTags(...at)).data.map(({ name }) => name)).toEqual(['v1.0'])
    expect((await repos.repoDeleteRelease(...at, id)).status).toBe(204)
    await repos.repoCreateRelease(...at, { tag_name: 'v1.0' })
    expect((await repos.repoDeleteReleaseByTag(...at, 'v1.0')).status).toBe(204)
    expect((await repos.repoListReleases(...at)).data).toEqual([])
  })
})
