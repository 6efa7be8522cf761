'use client'
import type { ReactNode } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { CheckField } from '@/app/_components/check-field'
import { FormControl, Select } from '@/app/_components/primer'
import { commonLicenses } from './common-licenses'

interface BeginningFieldsProps {
  readme: UseFormRegisterReturn
  gitignore: UseFormRegisterReturn
  license: UseFormRegisterReturn
  gitignores: readonly string[]
}

/** What the first commit of a repository holds. */
export function BeginningFields({ readme, gitignore, license, gitignores }: BeginningFieldsProps): ReactNode {
  return (
    <>
      <CheckField
        {...readme}
        label="Add a README"
        caption="The repository begins with a commit and can be cloned at once. Leave it off to push what you have."
      />
      <FormControl>
        <FormControl.Label>Add .gitignore</FormControl.Label>
        <Select {...gitignore} block>
          <Select.Option value="">None</Select.Option>
          {gitignores.map(name => (
            <Select.Option key={name} value={name}>
              {name}
            </Select.Option>
          ))}
        </Select>
        <FormControl.Caption>
          Keeps out of git what tools leave behind. Comes with a README.
        </FormControl.Caption>
      </FormControl>
      <FormControl>
        <FormControl.Label>License</FormControl.Label>
        <Select {...license} block>
          <Select.Option value="">None</Select.Option>
          {Object.entries(commonLicenses).map(([key, name]) => (
            <Select.Option key={key} value={key}>
              {name}
            </Select.Option>
          ))}
        </Select>
        <FormControl.Caption>
          Says what others may do with your code. Comes with a README.
        </FormControl.Caption>
      </FormControl>
    </>
  )
}
