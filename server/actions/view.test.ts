import { expect, it } from 'vitest'
import { viewJob } from './view'

type Args = Parameters<typeof viewJob>

it('the page of a job is that of its own attempt if the run was started again since', () => {
  const ctx = { config: { baseUrl: 'https://forge.test' } } as Args[0]
  const found = { owner: { name: 'acme' }, repository: { name: 'site' } } as Args[1]
  const run = { id: 7, attempt: 2, ref: '' } as Args[2]
  const created_at = new Date(0)
  const pageOf = (attempt: number) =>
    viewJob(ctx, found, run, { id: 9, attempt, created_at } as Args[3], undefined).html_url
  expect(pageOf(2)).toBe('https://forge.test/acme/site/actions/runs/7#job-9')
  expect(pageOf(1)).toBe('https://forge.test/acme/site/actions/runs/7?attempt=1#job-9')
})
