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
        toast.success(`Renamed ${org} to ${new_name}`)
        router.replace(orgPath(new_name, 'settings'))
        refreshPage()
      } catch (error) {
        // The server calls this field `username`, as in the form that creates an account.
        if (readFailure(error).field === 'username') {
          return rename.setError('new_name', { message: readFailure(error).message }, { shouldFocus: true })
        }
        showFailure(rename, error)
      }
    }),
  )

  return (
    <Panel title="Rename organization">
      <form className={`${form.form} ${form.narrow}`} onSubmit={submit} noValidate method="post">
        <p>
          The URLs of the organization and its repositories will change. The old URLs will redirect to the new
          ones until the name {org} is reused. For the first {formerNameDays} days, only the organization’s
          owners or an administrator can reuse the name.
        </p>
        <FormBanner title="The organization couldn’t be renamed" message={errors.root?.server?.message} />
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
            Rename organization
          </Button>
        </div>
      </form>
    </Panel>
  )
}

interface DeleteOrgSectionProps {
  org: string
  repositories: number
  /**
   * Number of webhooks; undefined if webhooks are turned off on this site, because they cannot be counted then.
   */
  webhooks: number | undefined
}

/**
 * Section that deletes an organization. If it still owns repositories, the section only links to them,
 * because they must be deleted or transferred first.
 */
export function DeleteOrgSection({ org, repositories, webhooks }: DeleteOrgSectionProps): ReactNode {
  const router = useRouter()
  if (repositories > 0) {
    return (
      <DangerZone>
        <DangerItem title="Delete organization">
          <p>
            {org} still owns{' '}
            <TextLink href={orgPath(org)} inline>
              {counted(repositories, 'repository', 'repositories')}
            </TextLink>
            . Delete or transfer them before you delete the organization.
          </p>
        </DangerItem>
      </DangerZone>
    )
  }
  return (
    <DangerZone>
      <DangerItem title="Delete organization">
        <div className={form.form}>
          <p>
            Deletes the organization, including its teams, memberships, and webhooks. Its name becomes
            available for others to use.
          </p>
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
                This also deletes its{' '}
                {webhooks === 0
                  ? ''
                  : `${webhooks === undefined ? 'webhooks' : counted(webhooks, 'webhook', 'webhooks')} and `}
                list of blocked users. Anyone will then be able to use its name. This can’t be undone.
              </p>
            </RemovalButton>
          </div>
        </div>
      </DangerItem>
    </DangerZone>
  )
}
