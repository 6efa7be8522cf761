'use client'
import { PeopleIcon } from '@primer/octicons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ListBox } from '@/app/_components/box'
import { EmptyState } from '@/app/_components/empty-state'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { Pager } from '@/app/_components/pager'
import { Button, Label } from '@/app/_components/primer'
import { orgMembersQuery } from '@/app/_lib/queries'
import { PersonRow } from '../../_org/person-row'
import { RemoveMemberDialog } from './remove-member-dialog'

interface MemberListProps {
  org: string
  page: number
  me: number | undefined
  ownerIds: readonly number[]
  mayManage: boolean
}

export function MemberList({ org, page, me, ownerIds, mayManage }: MemberListProps): ReactNode {
  const { data } = useQuery({ ...orgMembersQuery(org, page), placeholderData: keepPreviousData })
  const [doomed, setDoomed] = useState<string>()
  if (!data) return <ListSkeleton />
  if (data.total === 0) return <EmptyState icon={PeopleIcon} title="Nobody here shows their membership" />

  return (
    <>
      <ListBox title="Members" total={data.total}>
        {data.items.map(person => (
          <PersonRow
            key={person.id}
            person={person}
            labels={
              <>
                {ownerIds.includes(person.id) ? <Label variant="accent">Owner</Label> : null}
                {person.id === me ? <Label variant="secondary">You</Label> : null}
              </>
            }
            action={
              mayManage && person.id !== me ? (
                <Button
                  size="small"
                  variant="danger"
                  aria-label={`Remove ${person.login}`}
                  onClick={() => setDoomed(person.login)}
                >
                  Remove
                </Button>
              ) : null
            }
          />
        ))}
      </ListBox>
      <Pager label="Pages of members" page={page} limit={data.limit} total={data.total} />
      {doomed ? (
        <RemoveMemberDialog org={org} username={doomed} onClose={() => setDoomed(undefined)} />
      ) : null}
    </>
  )
}
