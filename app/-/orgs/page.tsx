import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { ListBox } from '@/app/_components/box'
import { EmptyState } from '@/app/_components/empty-state'
import { OrganizationIcon } from '@/app/_components/icons'
import { ButtonLink } from '@/app/_components/links'
import { PageHeading } from '@/app/_components/page-heading'
import { MembershipRow } from '@/app/_features/orgs/membership-row'
import styles from '@/app/_features/orgs/orgs.module.css'
import { caller, requireSession } from '@/app/_lib/server'

export const metadata: Metadata = { title: 'Your organizations' }

export default async function OrgsPage(): Promise<ReactNode> {
  await requireSession()
  const memberships = await (await caller()).orgs.listMemberships()
  const make = (
    <ButtonLink href="/-/orgs/new" variant="primary">
      New organization
    </ButtonLink>
  )
  return (
    <div className={styles.page}>
      <PageHeading title="Your organizations" actions={memberships.length > 0 ? make : null}>
        An organization owns repositories, and its teams control access to them.
      </PageHeading>
      {memberships.length === 0 ? (
        <EmptyState icon={OrganizationIcon} title="You’re not a member of any organizations" action={make}>
          <p>Create one to share repositories, or ask an organization owner to add you to a team.</p>
        </EmptyState>
      ) : (
        <ListBox title="Organizations" total={memberships.length}>
          {memberships.map(membership => (
            <MembershipRow key={membership.organization.id} membership={membership} />
          ))}
        </ListBox>
      )}
    </div>
  )
}
