import { settingsPath } from '@/app/_features/scopes/scope-paths'
import { jobPath, repositoryPath, runPath, teamPath } from '@/app/_lib/paths'
import type { Notification } from '@/server/notifications/schema'

/** What a line about a notification says. */
interface Description {
  text: string
  /** More about it; empty if there is nothing. */
  detail: string
  /** When it ends, for what is still to come. */
  until?: string
  /** The page where the viewer can do something about it. */
  href: string
}

/** Describes a notification in words, with the address of what it is about. */
export function describeNotification(notification: Notification): Description {
  switch (notification.kind) {
    case 'run_failed': {
      const { workflow, run_number, repository, title, job } = notification
      return {
        text: `${workflow} #${run_number} failed in ${repository}`,
        detail: [job?.name, job?.step].filter(Boolean).join(' › ') || title,
        href: failurePath(notification),
      }
    }
    case 'transfer_offered': {
      const { doer, repository, recipient, is_visible } = notification
      return {
        text: `${doer} wants to transfer ${repository} to ${recipient}`,
        detail: 'Accept or decline it',
        href: is_visible ? repositoryPath({ full_name: repository }) : '/#transfers',
      }
    }
    case 'team_joined': {
      const { org, team } = notification
      return { text: `You were added to the team ${org}/${team}`, detail: '', href: teamPath(org, team) }
    }
    case 'collaboration_begun': {
      const { repository, permission } = notification
      const text = `You were given ${permission} access to ${repository}`
      return { text, detail: '', href: repositoryPath({ full_name: repository }) }
    }
    case 'hook_disabled': {
      const { target, scope, hook_id, why } = notification
      const of =
        scope.kind === 'organization'
          ? ` of ${scope.org}`
          : scope.kind === 'repository'
            ? ` of ${scope.owner}/${scope.repo}`
            : ''
      return {
        text: `The webhook${of} to ${target} was disabled`,
        detail: why === 'gone' ? 'Its receiver requested no more deliveries' : 'Its receiver kept failing',
        href: settingsPath(scope, `hooks/${hook_id}`),
      }
    }
    case 'token_expiring':
      return {
        text: `Your access token “${notification.name}” ${expiry(notification)}`,
        detail: '',
        until: notification.expires_at,
        href: '/user/settings/tokens?sort=expires',
      }
    case 'key_expiring':
      return {
        text: `Your SSH key “${notification.title}” ${expiry(notification)}`,
        detail: '',
        until: notification.expires_at,
        href: '/user/settings/keys',
      }
  }
}

const expiry = ({ expires_at }: { expires_at: string }): string =>
  Date.parse(expires_at) <= Date.now() ? 'has expired' : 'expires soon'

function failurePath({ repository, run_id, job }: Extract<Notification, { kind: 'run_failed' }>): string {
  const name = { full_name: repository }
  if (!job) return runPath(name, run_id)
  return jobPath(name, run_id, job.id) + (job.line === null ? '' : `#L${job.line}`)
}
