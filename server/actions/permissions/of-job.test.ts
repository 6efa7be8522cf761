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
  const scopes = await tokenScopesOf(ctx, found, { permissions: job?.permissions ?? null })
  return scopes.map(
    ({ scope, access, has_effect }) => `${scope}: ${access}${has_effect ? '' : ', no effect'}`,
  )
}

describe('the page of a job shows that its token can', () => {
  it.each<[string, Record<string, JobAccess> | undefined, boolean, string[]]>([
    ['read by default', undefined, true, ['contents: read', 'actions: read']],
    ['do what the workflow requests', { contents: 'write', issues: 'write' }, true, ['contents: write']],
    ['do nothing in a private repository without permissions', {}, true, []],
    [
      'read a public repository in any case',
      { actions: 'write' },
      false,
      ['contents: read', 'actions: write'],
    ],
    ['not use id-token', { 'id-token': 'write' }, true, ['id-token: write, no effect']],
  ])('%s', async (_, permissions, isPrivate, expected) => {
    expect(await shown(permissions, isPrivate)).toEqual(expected)
  })
})
