import { expect, it } from 'vitest'
import type { Notification } from '@/server/notifications/schema'
import { describeNotification } from './describe'

const common = { id: 1, unread: true, created_at: '2026-01-01T00:00:00Z' }
const repository = 'acme/engine'
const run = {
  ...common,
  kind: 'run_failed',
  repository,
  run_id: 7,
  run_number: 2,
  workflow: 'CI',
  title: 'Fix',
} as const
const hook = { ...common, kind: 'hook_disabled', hook_id: 3, target: 'ci.test:443', why: 'gone' } as const
const offer = { ...common, kind: 'transfer_offered', repository, recipient: 'ben', doer: 'ada' } as const
const expires_at = '2026-01-05T00:00:00Z'

it.each<[Notification, string]>([
  [
    { ...run, job: { id: 9, name: 'build', step: 'Test', line: 20 } },
    '/acme/engine/actions/runs/7/jobs/9#L20',
  ],
  [{ ...run, job: { id: 9, name: 'build', step: null, line: null } }, '/acme/engine/actions/runs/7/jobs/9'],
  [{ ...run, job: null }, '/acme/engine/actions/runs/7'],
  [{ ...offer, is_visible: true }, '/acme/engine'],
  [{ ...offer, is_visible: false }, '/#transfers'],
  [{ ...common, kind: 'team_joined', org: 'acme', team: 'core' }, '/-/orgs/acme/teams/core'],
  [{ ...common, kind: 'collaboration_begun', repository, permission: 'read' }, '/acme/engine'],
  [{ ...hook, scope: { kind: 'own' } }, '/user/settings/hooks/3'],
  [{ ...hook, scope: { kind: 'organization', org: 'acme' } }, '/-/orgs/acme/settings/hooks/3'],
  [
    { ...hook, scope: { kind: 'repository', owner: 'acme', repo: 'engine' } },
    '/acme/engine/settings/hooks/3',
  ],
  [{ ...common, kind: 'token_expiring', name: 'ci', expires_at }, '/user/settings/tokens?sort=expires'],
  [{ ...common, kind: 'key_expiring', title: 'laptop', expires_at }, '/user/settings/keys'],
])('the notification %o leads to %s', (notification, href) => {
  expect(describeNotification(notification).href).toBe(href)
})
