'use client'
import { PeopleIcon } from '@primer/octicons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ListBox } from '@/app/_components/box'
import { EmptyState } from '@/app/_components/empty-state'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { Pager } from '@/app/_components/pager'
import { Label } from '@/app/_components/primer'
import { PersonRow } from '@/app/_features/orgs/person-row'
import { orgMembersQuery } from '@/app/_lib/queries'
import { RemoveMemberButton } from './remove-member-button'

interface MemberListProps {
  org: string
  page: number
  me: number | undefined
  mayManage: boolean
}

export function MemberList({ org, page, me, mayManage }: MemberListProps): ReactNode {
  const { data } = useQuery({ ...orgMembersQuery(org, page), placeholderData: keepPreviousData })
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
                {person.role === 'owner' ? <Label variant="accent">Owner</Label> : null}
                {person.id === me ? <Label variant="secondary">You</Label> : null}
              </>
            }
            action={
              mayManage && person.id !== me ? <RemoveMemberButton org={org} username={person.login} /> : null
            }
          />
        ))}
      </ListBox>
      <Pager label="Pages of members" page={page} limit={data.limit} total={data.total} />
    </>
  )
}
