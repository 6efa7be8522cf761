import { expect, it } from 'vitest'
import type { Notice } from './catalogue'
import { readSignals, writeSignals } from './signal-text'

const target = { ownerId: 1, repositoryId: null }
// One notice of each kind; a missing kind does not compile.
const notices: { [K in Notice['kind']]: Extract<Notice, { kind: K }> } = {
  'hook.delivery_changed': { kind: 'hook.delivery_changed', hookId: 1 },
  'hook.changed': { kind: 'hook.changed', hookId: 1, ...target },
  'release.changed': { kind: 'release.changed', isDraft: true, ownerId: 1, repositoryId: 2 },
  'runner.changed': { kind: 'runner.changed', runnerId: 1, ...target },
  'status.changed': { kind: 'status.changed', repositoryId: 2 },
  'run.changed': { kind: 'run.changed', runId: 1, repositoryId: 2 },
  'jobs.queued': { kind: 'jobs.queued', ownerId: 1, repositoryId: 2 },
  'calls.waiting': { kind: 'calls.waiting', repositoryId: 2 },
  'log.appended': { kind: 'log.appended', taskId: 1, runId: 2, repositoryId: 3 },
  'transfer.changed': { kind: 'transfer.changed', ...target },
  'notifications.changed': { kind: 'notifications.changed', ...target },
  'variables.changed': { kind: 'variables.changed', ...target },
  'key.used': { kind: 'key.used', keyId: 1, ...target },
  'event.considered': { kind: 'event.considered', ...target },
}

it.each(Object.values(notices))(
  'a notice of the kind $kind is unchanged after it is written as text and read back',
  notice => {
    const [text = ''] = writeSignals('0123456789abcdef', [notice])
    expect(readSignals(text)).toEqual({ from: '0123456789abcdef', signals: [notice] })
  },
)
