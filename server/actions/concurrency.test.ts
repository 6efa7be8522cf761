import type { KyselyPlugin } from 'kysely'
import { expect, it } from 'vitest'
import { makeRepository } from '@/db/testing/factories'
import { contextOf, planned, startPlanned } from '@/testing/actions'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'
import { loadActions } from './load'

const site = useSite()

it.each([
  ['replace each other', { name: 'g', cancels: false, queues: false }],
  ['cancel each other', { name: 'g', cancels: true, queues: false }],
])(
  'the work for jobs that ask for one group and %s grows no faster than their number',
  async (_, concurrency) => {
    const read = async (count: number): Promise<number> => {
      const ada = await makePerson(site)
      const repository = await makeRepository(site.db, ada.account.id)
      let rows = 0
      const spy: KyselyPlugin = {
        transformQuery: ({ node }) => node,
        async transformResult({ result }) {
          rows += result.rows.filter(row => 'job_key' in row).length
          return result
        },
      }
      const ctx = contextOf(site, ada)
      const found = await loadActions(ctx, { owner: ada.name, repo: repository.name }, 'write')
      const jobs = Array.from({ length: count }, (_, index) =>
        planned(`j${index}`, { concurrency, position: index }),
      )
      await startPlanned({ ...ctx, db: site.db.withPlugin(spy) }, found, {
        title: 'Test',
        workflow_path: 'test.yml',
        workflow_name: 'Test',
        event: 'push',
        ref: 'refs/heads/main',
        sha: '',
        document: '',
        context: {},
        jobs,
      })
      return rows
    }
    expect(await read(60)).toBeLessThan(3 * (await read(30)))
  },
)
