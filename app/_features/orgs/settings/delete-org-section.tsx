'use client'
import { type ReactNode, useState } from 'react'
import { Panel } from '@/app/_components/box'
import form from '@/app/_components/form.module.css'
import { TextLink } from '@/app/_components/links'
import { Button } from '@/app/_components/primer'
import { orgPath } from '@/app/_lib/paths'
import { DeleteOrgDialog } from './delete-org-dialog'

interface DeleteOrgSectionProps {
  org: string
  repositories: number
}

/** An organization is deleted only when nothing is left that would go with it unseen. */
export function DeleteOrgSection({ org, repositories }: DeleteOrgSectionProps): ReactNode {
  const [asking, setAsking] = useState(false)
  if (repositories > 0) {
    return (
      <Panel title="Delete the organization">
        <p>
          {org} still owns{' '}
          <TextLink href={orgPath(org)} inline>
            {repositories === 1 ? '1 repository' : `${repositories.toLocaleString('en-US')} repositories`}
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
          <Button variant="danger" onClick={() => setAsking(true)}>
            Delete {org}
          </Button>
        </div>
      </div>
      {asking ? <DeleteOrgDialog org={org} onClose={() => setAsking(false)} /> : null}
    </Panel>
  )
}
