'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ButtonLink } from '@/app/_components/links'
import { PageHeading } from '@/app/_components/page-heading'
import { isLoss } from '@/app/_features/scopes/is-loss'
import { headingLevel } from '@/app/_features/scopes/scope-paths'
import { hooksKey, hooksQuery } from '@/app/_lib/queries/hooks'
import { useLive } from '@/app/_lib/use-live'
import { useSelfUpdating } from '@/app/_lib/workarounds/hold-refresh'
import type { Topic } from '@/server/live/schema'
import type { ScopeName } from '@/server/scopes/schema'
import { HookList } from './hook-list'
import { hooksPath, hookTopics } from './hook-paths'
import { LostHooks } from './lost-hooks'

interface HooksScreenProps {
  scope: ScopeName
  topics: readonly Topic[]
  page: number
}

/** Page of a scope's hooks. */
export function HooksScreen({ scope, topics, page }: HooksScreenProps): ReactNode {
  // If there are no hooks, the empty state contains the link to create one.
  const { data, error } = useQuery(hooksQuery(scope, page))
  const isEmpty = data?.total === 0
  const queryClient = useQueryClient()
  useSelfUpdating(error)
  useLive(
    [...topics, ...hookTopics(data?.items ?? [])],
    () => void queryClient.invalidateQueries({ queryKey: hooksKey(scope) }),
  )
  if (isLoss(error)) return <LostHooks scope={scope} what="these webhooks" error={error} />
  return (
    <>
      <PageHeading
        title="Webhooks"
        level={headingLevel(scope)}
        actions={
          <>
            <ButtonLink href={hooksPath(scope, 'events')}>Events</ButtonLink>
            {isEmpty ? null : (
              <ButtonLink href={hooksPath(scope, 'new')} variant="primary">
                New webhook
              </ButtonLink>
            )}
          </>
        }
      >
        {leads[scope.kind]}
      </PageHeading>
      <HookList scope={scope} page={page} />
    </>
  )
}

const leads: Record<ScopeName['kind'], string> = {
  organization:
    'Webhooks send events from this organization and its repositories to your services and chats.',
  own: 'Webhooks send events from your account and repositories to your services and chats.',
  repository:
    'Webhooks send events from this repository to your services and chats. The owner’s webhooks also receive these events.',
  site: 'Site webhooks either receive events from every repository or are copied into each new repository.',
}
