import type { ReactNode } from 'react'
import { EmptyState } from '@/app/_components/empty-state'
import { WebhookIcon } from '@/app/_components/icons'
import { ButtonLink } from '@/app/_components/links'
import { LostScope } from '@/app/_features/scopes/lost-scope'
import { readFailure } from '@/app/_lib/failure'
import type { ScopeName } from '@/server/scopes/schema'
import { hooksPath } from './hook-paths'

interface LostHooksProps {
  scope: ScopeName
  what: 'this webhook' | 'these webhooks'
  error: unknown
}

/** Replaces the content of a webhook page once the webhooks are lost (`isLoss`) while it is open. */
export function LostHooks({ scope, what, error }: LostHooksProps): ReactNode {
  const { reason } = readFailure(error)
  if (reason?.code === 'gone' && reason.what === 'hook') {
    return (
      <EmptyState
        icon={WebhookIcon}
        title="This webhook was deleted"
        action={<ButtonLink href={hooksPath(scope)}>Show all webhooks</ButtonLink>}
      />
    )
  }
  return <LostScope scope={scope} icon={WebhookIcon} what={what} error={error} />
}
