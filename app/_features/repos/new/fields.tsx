'use client'
import type { ReactNode } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { CheckField, ChoiceGroup } from '@/app/_components/fields'
import { FormControl, Radio, Select } from '@/app/_components/primer'
import { commonLicenses } from './common-licenses'

interface OwnerFieldProps {
  field: UseFormRegisterReturn
  owners: readonly string[]
}

/** Select field for the new repository's owner: the viewer, or an organization. */
export function OwnerField({ field, owners }: OwnerFieldProps): ReactNode {
  return (
    <FormControl>
      <FormControl.Label>Owner</FormControl.Label>
      <Select {...field} block>
        {owners.map(owner => (
          <option key={owner} value={owner}>
            {owner}
          </option>
        ))}
      </Select>
      {owners.length === 1 ? (
        <FormControl.Caption>
          Organizations appear here if one of your teams lets you create repositories.
        </FormControl.Caption>
      ) : null}
    </FormControl>
  )
}

interface VisibilityFieldProps {
  field: UseFormRegisterReturn
  value: 'public' | 'private'
  owner: string
  isMine: boolean
}

export function VisibilityField({ field, value, owner, isMine }: VisibilityFieldProps): ReactNode {
  return (
    <ChoiceGroup legend="Visibility">
      <FormControl>
        <Radio {...field} value="public" checked={value === 'public'} />
        <FormControl.Label>Public</FormControl.Label>
        <FormControl.Caption>
          Anyone who can see {isMine ? 'your' : `${owner}’s`} profile can view and clone this repository.
        </FormControl.Caption>
      </FormControl>
      <FormControl>
        <Radio {...field} value="private" checked={value === 'private'} />
        <FormControl.Label>Private</FormControl.Label>
        <FormControl.Caption>
          {isMine
            ? 'Only you and people you give access to can see it.'
            : `Only owners of ${owner} and people who are given access can see it.`}
        </FormControl.Caption>
      </FormControl>
    </ChoiceGroup>
  )
}

interface BeginningFieldsProps {
  hasReadme: boolean
  onReadme: (wanted: boolean) => void
  /** Whether the selected files require a first commit, which always contains a README. */
  needsReadme: boolean
  gitignore: UseFormRegisterReturn
  license: UseFormRegisterReturn
  gitignores: readonly string[]
}

/** Fields for the files of a new repository's first commit. */
export function BeginningFields(props: BeginningFieldsProps): ReactNode {
  const { hasReadme, onReadme, needsReadme, gitignore, license, gitignores } = props
  return (
    <>
      <CheckField
        checked={hasReadme || needsReadme}
        onChange={event => onReadme(event.target.checked)}
        disabled={needsReadme}
        label="Add a README"
        caption={
          needsReadme
            ? 'The initial commit will include a README and the files you select below.'
            : 'Creates an initial commit so you can clone right away. Leave this off if you’re pushing existing code.'
        }
      />
      <FormControl>
        <FormControl.Label>Add .gitignore</FormControl.Label>
        <Select {...gitignore} block>
          <option value="">None</option>
          {gitignores.map(name => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </Select>
        <FormControl.Caption>Tells Git which files to ignore.</FormControl.Caption>
      </FormControl>
      <FormControl>
        <FormControl.Label>License</FormControl.Label>
        <Select {...license} block>
          <option value="">None</option>
          {Object.entries(commonLicenses).map(([key, name]) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
        </Select>
        <FormControl.Caption>Tells others what they can do with your code.</FormControl.Caption>
      </FormControl>
    </>
  )
}

interface LabelsFieldProps {
  field: UseFormRegisterReturn
  templates: readonly string[]
}

/** Select field for the labels that a new repository begins with. */
export function LabelsField({ field, templates }: LabelsFieldProps): ReactNode {
  return (
    <FormControl>
      <FormControl.Label>Labels</FormControl.Label>
      <Select {...field} block>
        <option value="">None</option>
        {templates.map(name => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </Select>
      <FormControl.Caption>Sort issues and pull requests. You can change them later.</FormControl.Caption>
    </FormControl>
  )
}
