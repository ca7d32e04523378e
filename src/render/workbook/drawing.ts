import { chartXml } from './chart.ts';
import type { Anchor, Chart, Picture, Sheet } from './model.ts';
import { DRAWING, OFFICE, type Relationship, relationshipsXml, XML_HEAD, xmlText } from './xml.ts';
import type { Part } from './zip.ts';

/** English metric units, in which drawings are measured. */
const EMU_A_PIXEL = 9525;

/** The parts of a sheet's drawing; none where it has no pictures and charts. @param number the sheet's, from 1 */
export function drawingParts({ pictures = [], charts = [] }: Sheet, number: number): Part[] {
  if (pictures.length + charts.length === 0) return [];
  const images = pictures.map(({ kind, bytes }, i) => ({
    path: `media/image${number}-${i + 1}.${kind}`,
    content: bytes,
  }));
  const plots = charts.map((chart, i) => ({ path: `charts/chart${number}-${i + 1}.xml`, content: chartXml(chart) }));
  const anchors = [
    ...pictures.map((picture, i) => pictureAnchor(picture, i + 1)),
    ...charts.map((chart, i) => chartAnchor(chart, pictures.length + i + 1)),
  ];
  const uses: Relationship[] = [
    ...images.map(({ path }) => ({ type: 'image' as const, target: `../${path}` })),
    ...plots.map(({ path }) => ({ type: 'chart' as const, target: `../${path}` })),
  ];
  const drawing = `drawings/drawing${number}.xml`;
  return [
    {
      path: `xl/worksheets/_rels/sheet${number}.xml.rels`,
      content: relationshipsXml([{ type: 'drawing', target: `../${drawing}` }]),
    },
    {
      path: `xl/${drawing}`,
      content: `${XML_HEAD}<xdr:wsDr xmlns:xdr="${DRAWING}/spreadsheetDrawing" xmlns:a="${DRAWING}/main" xmlns:r="${OFFICE}/relationships">${anchors.join('')}</xdr:wsDr>`,
    },
    { path: `xl/drawings/_rels/drawing${number}.xml.rels`, content: relationshipsXml(uses) },
    ...[...images, ...plots].map(({ path, content }) => ({ path: `xl/${path}`, content })),
  ];
}

function position(element: 'from' | 'to', { column, row }: Anchor): string {
  return `<xdr:${element}><xdr:col>${column}</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${row}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:${element}>`;
}

function pictureAnchor(picture: Picture, id: number): string {
  const extent = `cx="${picture.width * EMU_A_PIXEL}" cy="${picture.height * EMU_A_PIXEL}"`;
  // Six pixels of space to the edges of the cell.
  const from = position('from', picture.at).replaceAll('Off>0<', `Off>${6 * EMU_A_PIXEL}<`);
  return `<xdr:oneCellAnchor>${from}<xdr:ext ${extent}/><xdr:pic><xdr:nvPicPr><xdr:cNvPr id="${id}" name="Picture ${id}" descr="${xmlText(picture.description)}"/><xdr:cNvPicPr><a:picLocks noChangeAspect="1"/></xdr:cNvPicPr></xdr:nvPicPr><xdr:blipFill><a:blip r:embed="rId${id}"/><a:stretch><a:fillRect/></a:stretch></xdr:blipFill><xdr:spPr><a:xfrm><a:off x="0" y="0"/><a:ext ${extent}/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></xdr:spPr></xdr:pic><xdr:clientData/></xdr:oneCellAnchor>`;
}

function chartAnchor(chart: Chart, id: number): string {
  return `<xdr:twoCellAnchor>${position('from', chart.from)}${position('to', chart.to)}<xdr:graphicFrame macro=""><xdr:nvGraphicFramePr><xdr:cNvPr id="${id}" name="Chart ${id}" descr="${xmlText(chart.title)}"/><xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr><xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm><a:graphic><a:graphicData uri="${DRAWING}/chart"><c:chart xmlns:c="${DRAWING}/chart" r:id="rId${id}"/></a:graphicData></a:graphic></xdr:graphicFrame><xdr:clientData/></xdr:twoCellAnchor>`;
}
