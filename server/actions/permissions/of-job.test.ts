import { describe, expect, it } from 'vitest'
import { makeRepository } from '@/db/testing/factories'
import type { JobAccess } from '@/server/kernel/job-permissions'
import { contextOf } from '@/testing/actions'
import { makeJobToken } from '@/testing/job-tokens'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'
import { findJob } from '../job-store'
import { loadRun } from '../load'
import { tokenScopesOf } from './of-job'

const site = useSite()

async function shown(permissions: Record<string, JobAccess> | undefined, isPrivate = true) {
  const ada = await makePerson(site)
  const repository = await makeRepository(site.db, ada.account.id, { is_private: isPrivate })
  const options = { actor: ada.account, ...(permissions && { permissions }) }
  const { run_id, job_id } = await makeJobToken(site, repository, options)
  const ctx = contextOf(site, ada)
  const found = await loadRun(ctx, { owner: ada.name, repo: repository.name, run: run_id }, 'read')
  const job = await findJob(site.db, repository.id, job_id)
  const scopes = await tokenScopesOf(ctx, found, { permissions: job?.permissions ?? null, call: null })
  return scopes?.map(({ scope, access, note }) => `${scope}: ${access}${note ? `, ${note}` : ''}`)
}

describe('the page of a job shows that its token can', () => {
  it.each<[string, Record<string, JobAccess> | undefined, boolean, string[]]>([
    ['read by default', undefined, true, ['contents: read', 'actions: read', 'packages: read, no_effect']],
    [
      'do what the workflow requests, as far as it has an effect',
      { contents: 'write', issues: 'write', 'id-token': 'write', pages: 'none', statuses: 'write' },
      true,
      ['contents: write', 'statuses: write', 'issues: write, no_effect', 'id-token: write, no_effect'],
    ],
    ['do nothing in a private repository without permissions', {}, true, []],
    [
      'read what its permissions leave out, if the repository is public',
      { actions: 'write' },
      false,
      ['contents: read, public', 'actions: write'],
    ],
    [
      'read what it requests, whether or not the repository is public',
      { contents: 'read' },
      false,
      ['contents: read', 'actions: read, public'],
    ],
  ])('%s', async (_, permissions, isPrivate, expected) => {
    expect(await shown(permissions, isPrivate)).toEqual(expected)
  })
})

it('a job that calls a workflow has no token', async () => {
  const ada = await makePerson(site)
  const repository = await makeRepository(site.db, ada.account.id)
  const { run_id } = await makeJobToken(site, repository, { actor: ada.account })
  const ctx = contextOf(site, ada)
  const found = await loadRun(ctx, { owner: ada.name, repo: repository.name, run: run_id }, 'read')
  const call = { uses: './.gitea/workflows/deploy.yml', inputs: {}, inherits: false }
  expect(await tokenScopesOf(ctx, found, { permissions: null, call })).toBeNull()
})
