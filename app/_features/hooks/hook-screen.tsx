'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { isLoss } from '@/app/_features/scopes/is-loss'
import { hookKey, hookQuery } from '@/app/_lib/queries/hooks'
import { useLive } from '@/app/_lib/use-live'
import { useSelfUpdating } from '@/app/_lib/workarounds/hold-refresh'
import { useLazyComponent } from '@/app/_lib/workarounds/use-lazy-component'
import type { ScopeName } from '@/server/scopes/schema'
import { CreatedNotice } from './created-notice'
import { DeleteHookSection, EditHookForm } from './edit-hook-form'
import { HookFrame } from './hook-frame'
import type { LostHooks } from './lost-hooks'
import { SealedPanels } from './sealed-panels'

interface HookScreenProps {
  scope: ScopeName
  id: number
}

/** Settings page of a hook. */
export function HookScreen({ scope, id }: HookScreenProps): ReactNode {
  const { data: hook, error } = useQuery(hookQuery(scope, id))
  const queryClient = useQueryClient()
  useSelfUpdating(error)
  useLive(
    [{ topic: 'hook', id }],
    () => void queryClient.invalidateQueries({ queryKey: hookKey({ scope, id }) }),
  )
  if (isLoss(error)) return <LazyLostHooks scope={scope} what="this webhook" error={error} />
  if (!hook) return <ListSkeleton />
  return (
    <HookFrame scope={scope} hook={hook} tab="settings">
      <CreatedNotice scope={scope} hook={hook} />
      <EditHookForm scope={scope} hook={hook} />
      <SealedPanels scope={scope} hook={hook} />
      <DeleteHookSection scope={scope} hook={hook} />
    </HookFrame>
  )
}

// Loaded on demand, because hooks are rarely deleted while their page is open.
function LazyLostHooks(props: Parameters<typeof LostHooks>[0]): ReactNode {
  const Lost = useLazyComponent(async () => (await import('./lost-hooks')).LostHooks, true)
  return Lost ? <Lost {...props} /> : null
}
