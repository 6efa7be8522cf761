'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ShieldCheckIcon } from '@/app/_components/icons'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { PageHeading } from '@/app/_components/page-heading'
import { isLoss } from '@/app/_features/scopes/is-loss'
import { LostScope } from '@/app/_features/scopes/lost-scope'
import { headingLevel } from '@/app/_features/scopes/scope-paths'
import { useLive } from '@/app/_lib/use-live'
import { useSelfUpdating } from '@/app/_lib/workarounds/hold-refresh'
import type { Topic } from '@/server/live/schema'
import type { ScopeName } from '@/server/scopes/schema'
import { PermissionsForm } from './permissions-form'
import { permissionsKey, permissionsQuery } from './queries'

interface JobTokensScreenProps {
  scope: ScopeName
  topics: readonly Topic[]
}

/** Page with the settings for the job tokens of one scope. */
export function JobTokensScreen({ scope, topics }: JobTokensScreenProps): ReactNode {
  const { data, error } = useQuery(permissionsQuery(scope))
  const queryClient = useQueryClient()
  useSelfUpdating(error)
  useLive(topics, () => void queryClient.invalidateQueries({ queryKey: permissionsKey(scope) }))
  if (isLoss(error)) {
    return <LostScope scope={scope} icon={ShieldCheckIcon} what="these settings" error={error} />
  }
  return (
    <>
      <PageHeading title="Job tokens" level={headingLevel(scope)}>
        What workflow jobs can do with their token in {wheres[scope.kind]}. Changes apply to running jobs
        immediately.
      </PageHeading>
      {data ? <PermissionsForm scope={scope} shown={data} /> : <ListSkeleton />}
    </>
  )
}

const wheres: Record<ScopeName['kind'], string> = {
  repository: 'this repository',
  organization: 'the repositories of this organization',
  own: 'your repositories',
  site: 'all repositories of this site',
}
