'use client'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { PlusIcon } from '@/app/_components/icons'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { PageHeading } from '@/app/_components/page-heading'
import { Button } from '@/app/_components/primer'
import { useAddForm } from '@/app/_lib/use-add-form'
import { useLive } from '@/app/_lib/use-live'
import { useSelfUpdating } from '@/app/_lib/workarounds/hold-refresh'
import type { LabelHolderName } from '@/server/labels/schema'
import type { Topic } from '@/server/live/schema'
import { AddLabelForm } from './add-label-form'
import { LabelList } from './label-list'
import { labelsKey, labelsQuery } from './queries'

interface LabelsScreenProps {
  holder: LabelHolderName
  topics: readonly Topic[]
  page: number
}

/** Page of the labels of a repository or an organization. */
export function LabelsScreen({ holder, topics, page }: LabelsScreenProps): ReactNode {
  const { data, error } = useQuery({ ...labelsQuery(holder, page), placeholderData: keepPreviousData })
  const queryClient = useQueryClient()
  useSelfUpdating(error)
  useLive(topics, () => void queryClient.invalidateQueries({ queryKey: labelsKey(holder) }))
  const form = useAddForm()
  const mayEdit = data?.may_edit ?? false
  const isOpen = form.open && mayEdit
  return (
    <>
      <PageHeading
        title="Labels"
        level={'org' in holder ? 1 : 2}
        actions={
          isOpen || !mayEdit ? null : (
            <Button variant="primary" leadingVisual={PlusIcon} ref={form.opener} onClick={form.show}>
              New label
            </Button>
          )
        }
      >
        Labels are stored for programs that use the API, such as Renovate and Terraform. Guildhall itself has
        no issues that could have them.
      </PageHeading>
      {isOpen ? <AddLabelForm holder={holder} onAdded={form.hide} onCancel={form.hide} /> : null}
      {data ? <LabelList holder={holder} labels={data} page={page} /> : <ListSkeleton />}
    </>
  )
}
