/**
 * Names of commonly used licenses, by SPDX identifier. The API accepts every license of the SPDX License
 * List.
 */
export const commonLicenses: Readonly<Record<string, string>> = {
  'Apache-2.0': 'Apache License 2.0',
  MIT: 'MIT License',
  'GPL-3.0-or-later': 'GNU General Public License v3.0 or later',
  'GPL-3.0-only': 'GNU General Public License v3.0 only',
  'GPL-2.0-or-later': 'GNU General Public License v2.0 or later',
  'GPL-2.0-only': 'GNU General Public License v2.0 only',
  'AGPL-3.0-or-later': 'GNU Affero General Public License v3.0 or later',
  'AGPL-3.0-only': 'GNU Affero General Public License v3.0 only',
  'LGPL-3.0-or-later': 'GNU Lesser General Public License v3.0 or later',
  'LGPL-2.1-or-later': 'GNU Lesser General Public License v2.1 or later',
  'MPL-2.0': 'Mozilla Public License 2.0',
  'EPL-2.0': 'Eclipse Public License 2.0',
  'EUPL-1.2': 'European Union Public License 1.2',
  'BSD-2-Clause': 'BSD 2-Clause "Simplified" License',
  'BSD-3-Clause': 'BSD 3-Clause "New" or "Revised" License',
  'BSL-1.0': 'Boost Software License 1.0',
  ISC: 'ISC License',
  '0BSD': 'BSD Zero Clause License',
  'CC0-1.0': 'Creative Commons Zero v1.0 Universal',
  Unlicense: 'The Unlicense',
}
