import { expect, it } from 'vitest'
import { planned } from '@/testing/actions'
import { giveJob, makeRunnerRow, startQueuedRun } from '@/testing/assigned'
import { useSite } from '@/testing/site'
import { reportTask } from './report'

const site = useSite()
const document = 'on: { workflow_dispatch: { inputs: { really: { type: boolean } } } }\n'

// A run as an older program left it; `askThread` refuses to be called within a transaction.
it('conditions of a run without stored inputs read typed inputs from the workflow, which are then stored', async () => {
  expect(await endWith(document)).toEqual({
    states: 'in_progress success queued skipped',
    inputs: { really: true },
  })
})

it('a run whose workflow cannot be read continues with its inputs as strings', async () => {
  expect(await endWith('on: [')).toEqual({
    states: 'in_progress success skipped queued',
    inputs: { really: 'true' },
  })
})

async function endWith(document: string) {
  const run = await startQueuedRun(site, [
    planned('build'),
    planned('yes', { needs: ['build'], condition: 'inputs.really == true' }),
    planned('no', { needs: ['build'], condition: "inputs.really == 'true'" }),
  ])
  const { id } = (await run.found()).run
  await site.db
    .updateTable('workflow_runs')
    .set({ document, payload: JSON.stringify({ inputs: { really: 'true' } }), inputs: null })
    .where('id', '=', id)
    .execute()
  const runner = await makeRunnerRow(site)
  const task = await giveJob(run, 'build', runner, { steps: [] })
  await reportTask(run.ctx, runner, { taskId: task.id, conclusion: 'success', steps: [], outputs: {} })
  const { inputs } = await site.db
    .selectFrom('workflow_runs')
    .select('inputs')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { states: await run.states(), inputs }
}
