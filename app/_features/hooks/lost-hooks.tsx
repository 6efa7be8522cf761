import { WebhookIcon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import { EmptyState } from '@/app/_components/empty-state'
import { ButtonLink } from '@/app/_components/links'
import { readFailure } from '@/app/_lib/failure'
import { orgPath, repositoryPath } from '@/app/_lib/paths'
import type { PlaceName } from '@/server/places/schema'
import { hooksPath } from './hook-place'

/** Tells of a failed query whether what it reads was deleted, or may no longer be managed by the viewer. */
export function isLoss(error: unknown): boolean {
  if (!error) return false
  const { kind, reason } = readFailure(error)
  return kind === 'notFound' || (kind === 'forbidden' && reason === undefined)
}

interface LostHooksProps {
  place: PlaceName
  what: 'this webhook' | 'these webhooks'
  error: unknown
}

/** In place of webhooks that were lost, as `isLoss` tells, while their page was open. */
export function LostHooks({ place, what, error }: LostHooksProps): ReactNode {
  const { kind, reason, message } = readFailure(error)
  if (reason?.code === 'gone' && reason.what === 'hook') {
    return (
      <EmptyState
        icon={WebhookIcon}
        title="This webhook was deleted"
        action={<ButtonLink href={hooksPath(place)}>Show all webhooks</ButtonLink>}
      />
    )
  }
  const isHidden = kind === 'notFound'
  const { href, label } = isHidden ? start : wayOn(place)
  return (
    <EmptyState
      icon={WebhookIcon}
      title={`You can no longer manage ${what}`}
      action={<ButtonLink href={href}>{label}</ButtonLink>}
    >
      <p>{isHidden ? message : 'Your access has changed since you opened this page.'}</p>
    </EmptyState>
  )
}

const start = { href: '/', label: 'Go to the start page' }

function wayOn(place: PlaceName): typeof start {
  switch (place.scope) {
    case 'organization':
      return { href: orgPath(place.org), label: `Go to ${place.org}` }
    case 'repository': {
      const full_name = `${place.owner}/${place.repo}`
      return { href: repositoryPath({ full_name }), label: `Go to ${full_name}` }
    }
    case 'own':
    case 'site':
      return start
  }
}
