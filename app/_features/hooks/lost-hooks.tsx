import { WebhookIcon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import { EmptyState } from '@/app/_components/empty-state'
import { ButtonLink } from '@/app/_components/links'
import { LostScope } from '@/app/_features/places/lost-place'
import { readFailure } from '@/app/_lib/failure'
import type { PlaceName } from '@/server/places/schema'
import { hooksPath } from './hook-place'

interface LostHooksProps {
  place: PlaceName
  what: 'this webhook' | 'these webhooks'
  error: unknown
}

/** In place of webhooks that were lost, as `isLoss` tells, while their page was open. */
export function LostHooks({ place, what, error }: LostHooksProps): ReactNode {
  const { reason } = readFailure(error)
  if (reason?.code === 'gone' && reason.what === 'hook') {
    return (
      <EmptyState
        icon={WebhookIcon}
        title="This webhook was deleted"
        action={<ButtonLink href={hooksPath(place)}>Show all webhooks</ButtonLink>}
      />
    )
  }
  return <LostScope place={place} icon={WebhookIcon} what={what} error={error} />
}
