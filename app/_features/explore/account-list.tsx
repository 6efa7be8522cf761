'use client'
import type { ReactNode } from 'react'
import { ListRow, RowFacts, RowTitle } from '@/app/_components/box'
import { EmptyState } from '@/app/_components/empty-state'
import { OrganizationIcon, PeopleIcon } from '@/app/_components/icons'
import { Label } from '@/app/_components/primer'
import { RelativeDate } from '@/app/_components/relative-date'
import { UserAvatar } from '@/app/_components/user-avatar'
import { WorkList } from '@/app/_components/work-list'
import { accountList } from '@/app/_lib/lists'
import { orgPath } from '@/app/_lib/paths'
import { accountsQuery } from '@/app/_lib/queries/search'
import { useListChoice } from '@/app/_lib/use-list-choice'
import { useListRows } from '@/app/_lib/use-list-rows'
import type { BrowseAccountsInput, BrowsedAccount } from '@/server/search/schema'

const kinds = {
  person: {
    title: 'People',
    noun: 'person',
    icon: PeopleIcon,
    began: 'Joined',
    none: 'No people yet',
  },
  organization: {
    title: 'Organizations',
    noun: 'organization',
    icon: OrganizationIcon,
    began: 'Created',
    none: 'No organizations yet',
  },
} as const

type Kind = BrowseAccountsInput['kind']

/** Searchable list of the people or organizations that the viewer can see. */
export function AccountList({ kind }: { kind: Kind }): ReactNode {
  const list = useListChoice(accountList)
  const rows = useListRows(accountsQuery(kind, list.choice))
  const { title, noun, icon, none } = kinds[kind]
  return (
    <WorkList<BrowsedAccount>
      title={title}
      noun={noun}
      icon={icon}
      list={list}
      rows={rows}
      idOf={account => account.id}
      nameOf={account => account.name}
      empty={<EmptyState icon={icon} title={none} />}
      row={account => <AccountRow key={account.id} kind={kind} account={account} />}
    />
  )
}

function AccountRow({ kind, account }: { kind: Kind; account: BrowsedAccount }): ReactNode {
  const { id, name, full_name, description, location, visibility, created_at } = account
  return (
    <ListRow visual={<UserAvatar id={id} size={32} />}>
      <RowTitle name={name} href={orgPath(name)}>
        {full_name ? (
          <span>
            <bdi>{full_name}</bdi>
          </span>
        ) : null}
        {visibility === 'public' ? null : (
          <Label variant="secondary">{visibility === 'private' ? 'Private' : 'Limited'}</Label>
        )}
      </RowTitle>
      {description ? (
        <p>
          <bdi>{description}</bdi>
        </p>
      ) : null}
      <RowFacts>
        {location ? <span>{location}</span> : null}
        <span>
          {kinds[kind].began} <RelativeDate value={created_at} />
        </span>
      </RowFacts>
    </ListRow>
  )
}
