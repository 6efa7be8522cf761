'use client'
import { useRouter } from 'next/navigation'
import { type ReactNode, useId } from 'react'
import { type UseFormRegisterReturn, useWatch } from 'react-hook-form'
import { Banner } from '@/app/_components/banner'
import { Panel } from '@/app/_components/box'
import { CommandLine } from '@/app/_components/copy-button'
import { CheckField, TextareaField, TextField } from '@/app/_components/fields'
import { FormControl, Select } from '@/app/_components/primer'
import { SaveForm } from '@/app/_components/save-form'
import { RepositoryNameField } from '@/app/_features/repos/repository-name-field'
import { shellWord } from '@/app/_lib/format'
import { repositoryPath } from '@/app/_lib/paths'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { useSaveForm } from '@/app/_lib/use-save-form'
import type { BranchNames } from '@/server/repos/refs/schema'
import type { Repository } from '@/server/repos/schema'

interface GeneralFormProps {
  repository: Repository
  branches: BranchNames
}

const valuesOf = (repository: Repository) => ({
  name: repository.name,
  description: repository.description,
  website: repository.website,
  default_branch: repository.default_branch,
  template: repository.template,
})

const labels = {
  name: 'Name',
  description: 'Description',
  website: 'Website',
  default_branch: 'Default branch',
  template: 'Template',
}

export function GeneralForm({ repository, branches }: GeneralFormProps): ReactNode {
  const router = useRouter()
  const owner = repository.owner.login
  const saved = valuesOf(repository)
  const edit = useSaveForm({
    schema: async () => (await import('@/app/_features/repos/form-schemas')).GeneralValues,
    saved,
    labels,
    save: async change => {
      const now = await trpc.repos.save.mutate({ owner, repo: repository.name, ...change })
      toast.success('Settings saved')
      if (now.name !== repository.name) router.replace(repositoryPath(now, 'settings'))
      return valuesOf(now)
    },
  })
  const name = useWatch({ control: edit.form.control, name: 'name' })

  return (
    <Panel title="General">
      <SaveForm edit={edit} failed="The settings couldn’t be saved" action="Save settings">
        <RepositoryNameField
          field={edit.form.register('name')}
          initial={saved.name}
          value={name}
          base={repository.html_url.slice(0, -repository.name.length)}
          error={edit.text('name').error}
        />
        <RenameNotice repository={repository} name={name.trim()} />
        <TextareaField {...edit.text('description')} optional rows={3} />
        <TextField {...edit.text('website')} type="url" optional placeholder="https://" />
        <DefaultBranchField
          field={edit.form.register('default_branch')}
          current={repository.default_branch}
          branches={branches}
          error={edit.text('default_branch').error}
        />
        <CheckField {...edit.check('template')} caption="Labels this repository as a template." />
      </SaveForm>
    </Panel>
  )
}

interface DefaultBranchFieldProps {
  field: UseFormRegisterReturn
  current: string
  branches: BranchNames
  error: string | undefined
}

/**
 * Field for the default branch: a selection from all branches, or a text field with suggestions if there are
 * no branches yet or too many to load.
 */
function DefaultBranchField(props: DefaultBranchFieldProps): ReactNode {
  const { field, current, branches, error } = props
  const suggestions = useId()
  if (branches.total === 0 || branches.total > branches.names.length) {
    return (
      <>
        <TextField
          {...field}
          defaultValue={current}
          label="Default branch"
          list={suggestions}
          autoComplete="off"
          spellCheck={false}
          caption={
            branches.total === 0
              ? 'The name of the first branch you’ll push.'
              : 'The branch that’s checked out when someone clones the repository. Enter the name of any branch.'
          }
          error={error}
        />
        <datalist id={suggestions}>
          {branches.names.map(name => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </>
    )
  }
  return (
    <FormControl>
      <FormControl.Label>Default branch</FormControl.Label>
      <Select {...field} defaultValue={current} block>
        {[...new Set([current, ...branches.names])].map(name => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </Select>
      {error ? <FormControl.Validation variant="error">{error}</FormControl.Validation> : null}
      <FormControl.Caption>
        The branch that’s checked out when someone clones the repository.
      </FormControl.Caption>
    </FormControl>
  )
}

interface RenameNoticeProps {
  repository: Repository
  /** The new name, which is not saved yet. */
  name: string
}

/** Explains what a new name changes for existing links and clones. */
function RenameNotice({ repository, name }: RenameNoticeProps): ReactNode {
  const { owner, full_name, clone_url, ssh_url } = repository
  if (name === '' || name === repository.name) return null
  const addresses = [clone_url, ssh_url]
    .filter(address => address !== '')
    .map(address => address.replace(`${full_name}.git`, `${owner.login}/${name}.git`))
  return (
    <Banner
      variant="info"
      title="This changes the repository’s URL"
      description={
        <>
          <p>
            Old links and clones of {full_name} will redirect to the new URL until another repository uses the
            old name. Update existing clones:
          </p>
          {addresses.map(address => (
            <CommandLine key={address} command={`git remote set-url origin ${shellWord(address)}`} />
          ))}
        </>
      }
    />
  )
}
