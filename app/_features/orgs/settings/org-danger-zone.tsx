'use client'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { Panel } from '@/app/_components/box'
import { DangerItem, DangerZone } from '@/app/_components/danger-zone'
import { FormBanner } from '@/app/_components/fields'
import form from '@/app/_components/form.module.css'
import { TextLink } from '@/app/_components/links'
import { Button } from '@/app/_components/primer'
import { OrgNameField } from '@/app/_features/orgs/fields'
import { RemovalButton } from '@/app/_features/removals/removal-button'
import { readFailure, showFailure } from '@/app/_lib/failure'
import { counted } from '@/app/_lib/format'
import { orgPath } from '@/app/_lib/paths'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { useSchemaResolver } from '@/app/_lib/use-schema-resolver'
import { useSingleFlight } from '@/app/_lib/use-single-flight'
import { refreshPage } from '@/app/_lib/workarounds/navigation-queue'
import { formerNameDays } from '@/server/users/name'

const loadNewName = async () =>
  (await import('@/server/orgs/schema')).RenameOrgOption.pick({ new_name: true })

export function RenameOrgForm({ org, baseUrl }: { org: string; baseUrl: string }): ReactNode {
  const router = useRouter()
  const rename = useForm({ resolver: useSchemaResolver(loadNewName), defaultValues: { new_name: '' } })
  const { errors, isSubmitting } = rename.formState
  const name = useWatch({ control: rename.control, name: 'new_name' })

  const submit = useSingleFlight(
    rename.handleSubmit(async ({ new_name }) => {
      try {
        await trpc.orgs.rename.mutate({ org, new_name })
        toast.success(`${org} is called ${new_name} now`)
        router.replace(orgPath(new_name, 'settings'))
        refreshPage()
      } catch (error) {
        // The server calls the field as it is called when an account is made.
        if (readFailure(error).field === 'username') {
          return rename.setError('new_name', { message: readFailure(error).message }, { shouldFocus: true })
        }
        showFailure(rename, error)
      }
    }),
  )

  return (
    <Panel title="Rename the organization">
      <form className={`${form.form} ${form.narrow}`} onSubmit={submit} noValidate method="post">
        <p>
          Every address of the organization and of its repositories changes. The old ones lead to the new ones
          until the name {org} is taken again. For the first {formerNameDays} days, only the owners of the
          organization can take it.
        </p>
        <FormBanner title="The organization was not renamed" message={errors.root?.server?.message} />
        <OrgNameField
          {...rename.register('new_name')}
          label="New name"
          current={org}
          value={name}
          baseUrl={baseUrl}
          error={errors.new_name?.message}
        />
        <div className={form.actions}>
          <Button type="submit" loading={isSubmitting}>
            Rename
          </Button>
        </div>
      </form>
    </Panel>
  )
}

interface DeleteOrgSectionProps {
  org: string
  repositories: number
  /** Undefined where they cannot be counted. */
  webhooks: number | undefined
}

/** An organization is deleted only when nothing is left that would go with it unseen. */
export function DeleteOrgSection({ org, repositories, webhooks }: DeleteOrgSectionProps): ReactNode {
  const router = useRouter()
  if (repositories > 0) {
    return (
      <DangerZone>
        <DangerItem title="Delete the organization">
          <p>
            {org} still owns{' '}
            <TextLink href={orgPath(org)} inline>
              {counted(repositories, 'repository', 'repositories')}
            </TextLink>
            . Delete them first; then the organization can be deleted too.
          </p>
        </DangerItem>
      </DangerZone>
    )
  }
  return (
    <DangerZone>
      <DangerItem title="Delete the organization">
        <div className={form.form}>
          <p>Its teams, memberships, and webhooks are deleted with it, and its name becomes free.</p>
          <div className={form.actions}>
            <RemovalButton
              label={`Delete ${org}`}
              target={{ kind: 'deletedOrganization', org }}
              title={`Delete the organization ${org}?`}
              confirm="Delete organization"
              typedName={org}
              done={`Deleted the organization ${org}`}
              onDone={() => {
                router.push('/-/orgs')
                refreshPage()
              }}
            >
              <p>
                Its blocks
                {webhooks === 0
                  ? ''
                  : ` and ${webhooks === undefined ? 'webhooks' : counted(webhooks, 'webhook', 'webhooks')}`}{' '}
                are deleted with it, and somebody else can take the name then. This cannot be undone.
              </p>
            </RemovalButton>
          </div>
        </div>
      </DangerItem>
    </DangerZone>
  )
}
