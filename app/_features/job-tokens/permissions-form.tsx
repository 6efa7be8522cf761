'use client'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ChoiceGroup } from '@/app/_components/fields'
import { FormControl, Select } from '@/app/_components/primer'
import { SaveForm } from '@/app/_components/save-form'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { useSaveForm } from '@/app/_lib/use-save-form'
import type { PermissionFields, ShownPermissions } from '@/server/actions/permissions/schema'
import type { ScopeName } from '@/server/scopes/schema'
import { accessOptions, type Options } from './access-options'
import { permissionsKey } from './queries'

interface PermissionsFormProps {
  scope: ScopeName
  shown: ShownPermissions
}

const labels: Record<keyof PermissionFields, string> = {
  default: 'Default',
  contents: 'Contents',
  actions: 'Actions',
  statuses: 'Statuses',
  packages: 'Packages',
  access_level: 'Reusable workflows',
}

export function PermissionsForm({ scope, shown }: PermissionsFormProps): ReactNode {
  const queryClient = useQueryClient()
  const edit = useSaveForm({
    schema: async () => (await import('@/server/actions/permissions/schema')).PermissionFields,
    saved: shown.fields,
    labels,
    save: async sent => {
      const saved = await trpc.actions.permissions.save.mutate({ scope, ...sent })
      await queryClient.invalidateQueries({ queryKey: permissionsKey(scope) })
      toast.success('Settings saved')
      return saved
    },
  })
  const field = (name: keyof PermissionFields) => edit.text(name)
  return (
    <SaveForm edit={edit} failed="The settings couldn’t be saved" action="Save settings">
      <SelectField
        {...field('default')}
        options={defaultOptions(scope, shown)}
        caption="What a token can do if the workflow has no permissions."
      />
      <ChoiceGroup legend="Highest access that a workflow can request">
        <SelectField
          {...field('contents')}
          options={levels}
          caption="Code, branches, tags, and releases. Jobs push and publish with write access."
        />
        <SelectField
          {...field('actions')}
          options={levels}
          caption="Runs, jobs, logs, artifacts, and starting workflows."
        />
        <SelectField
          {...field('statuses')}
          options={levels}
          caption="Commit statuses, which jobs report with write access."
        />
        <SelectField {...field('packages')} options={levels} caption="Has no effect yet." />
      </ChoiceGroup>
      {scope.kind === 'repository' ? (
        <SelectField
          {...field('access_level')}
          options={accessOptions(shown)}
          caption="Which other repositories can call the reusable workflows of this repository while it is private. Those of a public repository can always be called."
        />
      ) : null}
    </SaveForm>
  )
}

const levels: Options = [
  ['none', 'None'],
  ['read', 'Read'],
  ['write', 'Read and write'],
]

const defaultLabels = {
  read: 'Read contents, actions, and packages',
  write: 'Read and write everything',
}

function defaultOptions(scope: ScopeName, { inherited }: ShownPermissions): Options {
  const own = Object.entries(defaultLabels)
  if (scope.kind === 'site') return own
  const from = inherited.from === 'owner' ? 'the owner' : 'the site'
  const words = inherited.default === 'read' ? 'read' : 'read and write'
  return [['inherit', `Same as ${from} (${words})`], ...own]
}

type SelectFieldProps = Omit<Parameters<typeof Select>[0], 'children'> & {
  label: string
  options: Options
  caption: string
  error: string | undefined
}

function SelectField({ label, options, caption, error, ...select }: SelectFieldProps): ReactNode {
  return (
    <FormControl>
      <FormControl.Label>{label}</FormControl.Label>
      <Select {...select} block>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </Select>
      {error ? <FormControl.Validation variant="error">{error}</FormControl.Validation> : null}
      <FormControl.Caption>{caption}</FormControl.Caption>
    </FormControl>
  )
}
