'use client'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { Panel } from '@/app/_components/box'
import form from '@/app/_components/form.module.css'
import { TextLink } from '@/app/_components/links'
import { DepartureButton } from '@/app/_features/departures/departure-button'
import { counted } from '@/app/_lib/format'
import { orgPath } from '@/app/_lib/paths'

interface DeleteOrgSectionProps {
  org: string
  repositories: number
}

/** An organization is deleted only when nothing is left that would go with it unseen. */
export function DeleteOrgSection({ org, repositories }: DeleteOrgSectionProps): ReactNode {
  const router = useRouter()
  if (repositories > 0) {
    return (
      <Panel title="Delete the organization">
        <p>
          {org} still owns{' '}
          <TextLink href={orgPath(org)} inline>
            {counted(repositories, 'repository', 'repositories')}
          </TextLink>
          . Delete them first; then the organization can be deleted too.
        </p>
      </Panel>
    )
  }
  return (
    <Panel title="Delete the organization">
      <div className={form.form}>
        <p>The organization goes with its teams and memberships, and its name becomes free.</p>
        <div className={form.actions}>
          <DepartureButton
            label={`Delete ${org}`}
            wayOut={{ way: 'deletedOrganization', org }}
            title={`Delete the organization ${org}?`}
            confirm="Delete organization"
            typedName={org}
            done={`Deleted the organization ${org}`}
            onDone={() => {
              router.push('/-/orgs')
              router.refresh()
            }}
          >
            <p>
              Its blocks are deleted with it, and somebody else can take the name then. This cannot be undone.
            </p>
          </DepartureButton>
        </div>
      </div>
    </Panel>
  )
}
