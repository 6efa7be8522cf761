'use client'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { PlusIcon } from '@/app/_components/icons'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { PageHeading } from '@/app/_components/page-heading'
import { Button } from '@/app/_components/primer'
import { isLoss } from '@/app/_features/scopes/is-loss'
import { LostScope } from '@/app/_features/scopes/lost-scope'
import { headingLevel } from '@/app/_features/scopes/scope-paths'
import { useAddForm } from '@/app/_lib/use-add-form'
import { useLive } from '@/app/_lib/use-live'
import { useSelfUpdating } from '@/app/_lib/workarounds/hold-refresh'
import type { Topic } from '@/server/live/schema'
import { AddVariableForm } from './add-variable-form'
import { InheritedList } from './inherited-list'
import { kindLabels, leadOf } from './labels'
import { type VariableListName, variablesKey, variablesQuery } from './queries'
import { VariableList } from './variable-list'

interface VariablesScreenProps {
  list: VariableListName
  topics: readonly Topic[]
  page: number
}

/** Page of one scope's secrets or variables. */
export function VariablesScreen({ list, topics, page }: VariablesScreenProps): ReactNode {
  const { scope, kind } = list
  const { title, icon } = kindLabels[kind]
  const { data, error } = useQuery({ ...variablesQuery(list, page), placeholderData: keepPreviousData })
  const queryClient = useQueryClient()
  useSelfUpdating(error)
  useLive(topics, () => void queryClient.invalidateQueries({ queryKey: variablesKey(list) }))
  const form = useAddForm()
  const [addedId, setAddedId] = useState<number>()
  if (isLoss(error)) return <LostScope scope={scope} icon={icon} what={`these ${kind}s`} error={error} />
  const finish = (id: number): void => {
    setAddedId(id)
    form.hide()
  }
  return (
    <>
      <PageHeading
        title={title}
        level={headingLevel(scope)}
        actions={
          form.open ? null : (
            <Button variant="primary" leadingVisual={PlusIcon} ref={form.opener} onClick={form.show}>
              New {kind}
            </Button>
          )
        }
      >
        {leadOf(scope, kind)}
      </PageHeading>
      {form.open ? <AddVariableForm list={list} onAdded={finish} onCancel={form.hide} /> : null}
      {data ? <VariableList list={list} page={page} variables={data} addedId={addedId} /> : <ListSkeleton />}
      {data ? <InheritedList list={list} inherited={data.inherited} /> : null}
    </>
  )
}
