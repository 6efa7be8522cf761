import { placeOfSite } from '@/app/_features/places/read-place'
import { listPage } from '@/app/_features/runners/pages/runners-page'

export const metadata = { title: 'Runners' }

export default listPage(placeOfSite)
