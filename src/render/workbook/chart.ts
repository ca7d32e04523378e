import type { Chart, ChartRange, ChartSeries } from './model.ts';
import { DRAWING, OFFICE, XML_HEAD, xmlText } from './xml.ts';

const CATEGORY_AXIS = 1001;
const VALUE_AXIS = 1002;
const APART = { category: 1003, value: 1004 };
const INK = '404040';
const GRID = 'D9D9D9';

/**
 * A chart that the spreadsheet program draws itself: bars, lines over them, and series of another magnitude on a second axis at the
 * right. Series refer to cells and carry their values, so that the chart shows before anything is calculated.
 */
export function chartXml(chart: Chart): string {
  const numbered = chart.series.map((series, index) => ({ series, index }));
  const plot = (kind: ChartSeries['kind'], isApart = false) =>
    numbered
      .filter(({ series }) => series.kind === kind && (series.isApart ?? false) === isApart)
      .map(({ series, index }) => seriesXml(series, index, chart.categories))
      .join('');
  const axes = `<c:axId val="${CATEGORY_AXIS}"/><c:axId val="${VALUE_AXIS}"/>`;
  const bars = plot('bar');
  const lines = plot('line');
  const apart = plot('line', true);
  const apartName = chart.series.find(({ isApart }) => isApart)?.name ?? '';
  return `${XML_HEAD}<c:chartSpace xmlns:c="${DRAWING}/chart" xmlns:a="${DRAWING}/main" xmlns:r="${OFFICE}/relationships"><c:roundedCorners val="0"/><c:chart><c:title><c:tx><c:rich><a:bodyPr/><a:p><a:pPr>${textLook(1100, true)}</a:pPr><a:r><a:rPr lang="en-US" sz="1100" b="1"/><a:t>${xmlText(chart.title)}</a:t></a:r></a:p></c:rich></c:tx><c:overlay val="0"/></c:title><c:autoTitleDeleted val="0"/><c:plotArea><c:layout/>${
    bars &&
    `<c:barChart><c:barDir val="col"/><c:grouping val="clustered"/><c:varyColors val="0"/>${bars}<c:gapWidth val="60"/>${axes}</c:barChart>`
  }${
    lines &&
    `<c:lineChart><c:grouping val="standard"/><c:varyColors val="0"/>${lines}<c:marker val="1"/>${axes}</c:lineChart>`
  }${
    apart &&
    `<c:lineChart><c:grouping val="standard"/><c:varyColors val="0"/>${apart}<c:marker val="1"/><c:axId val="${APART.category}"/><c:axId val="${APART.value}"/></c:lineChart>`
  }${categoryAxis()}${valueAxis(isPositive(chart, false))}${apart && axesApart(apartName, isPositive(chart, true))}</c:plotArea><c:legend><c:legendPos val="b"/><c:overlay val="0"/>${textProperties(900)}</c:legend><c:plotVisOnly val="0"/><c:dispBlanksAs val="gap"/></c:chart><c:spPr><a:solidFill><a:srgbClr val="FFFFFF"/></a:solidFill><a:ln w="6350"><a:solidFill><a:srgbClr val="${GRID}"/></a:solidFill></a:ln></c:spPr></c:chartSpace>`;
}

function seriesXml(series: ChartSeries, index: number, categories: ChartRange<string>): string {
  const fill = `<a:solidFill><a:srgbClr val="${series.colour}"/></a:solidFill>`;
  const look =
    series.kind === 'bar'
      ? `<c:spPr>${fill}</c:spPr><c:invertIfNegative val="0"/>`
      : `<c:spPr><a:ln w="25400" cap="rnd">${fill}<a:round/></a:ln></c:spPr><c:marker><c:symbol val="circle"/><c:size val="5"/><c:spPr>${fill}</c:spPr></c:marker>`;
  const texts = categories.values.map((text, i) => `<c:pt idx="${i}"><c:v>${xmlText(text)}</c:v></c:pt>`).join('');
  const numbers = series.values.values
    .map((value, i) => (value === null ? '' : `<c:pt idx="${i}"><c:v>${value}</c:v></c:pt>`))
    .join('');
  return `<c:ser><c:idx val="${index}"/><c:order val="${index}"/><c:tx><c:v>${xmlText(series.name)}</c:v></c:tx>${look}<c:cat><c:strRef><c:f>${xmlText(categories.range)}</c:f><c:strCache><c:ptCount val="${categories.values.length}"/>${texts}</c:strCache></c:strRef></c:cat><c:val><c:numRef><c:f>${xmlText(series.values.range)}</c:f><c:numCache><c:formatCode>General</c:formatCode><c:ptCount val="${series.values.values.length}"/>${numbers}</c:numCache></c:numRef></c:val>${series.kind === 'line' ? '<c:smooth val="0"/>' : ''}</c:ser>`;
}

function categoryAxis(): string {
  return `<c:catAx><c:axId val="${CATEGORY_AXIS}"/><c:scaling><c:orientation val="minMax"/></c:scaling><c:delete val="0"/><c:axPos val="b"/><c:numFmt formatCode="General" sourceLinked="0"/><c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="low"/>${axisLine(GRID)}${textProperties(800)}<c:crossAx val="${VALUE_AXIS}"/><c:crosses val="autoZero"/><c:auto val="0"/><c:lblAlgn val="ctr"/><c:lblOffset val="100"/><c:noMultiLvlLbl val="1"/></c:catAx>`;
}

/** Whether an axis starts at zero: bars are read by length and lines by height, unless a value is negative. */
function isPositive({ series }: Chart, apart: boolean): boolean {
  const own = series.filter(({ isApart = false }) => isApart === apart);
  return own.every(({ values }) => values.values.every((value) => (value ?? 0) >= 0));
}

function valueAxis(fromZero: boolean): string {
  return `<c:valAx><c:axId val="${VALUE_AXIS}"/><c:scaling><c:orientation val="minMax"/>${fromZero ? '<c:min val="0"/>' : ''}</c:scaling><c:delete val="0"/><c:axPos val="l"/><c:majorGridlines>${axisLine('EDEDED')}</c:majorGridlines><c:numFmt formatCode="#,##0" sourceLinked="0"/><c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="nextTo"/><c:spPr><a:ln><a:noFill/></a:ln></c:spPr>${textProperties(800)}<c:crossAx val="${CATEGORY_AXIS}"/><c:crosses val="autoZero"/><c:crossBetween val="between"/></c:valAx>`;
}

/** The second pair of axes: values at the right, and categories that are not shown again. */
function axesApart(title: string, fromZero: boolean): string {
  const name = `<c:title><c:tx><c:rich><a:bodyPr rot="-5400000" vert="horz"/><a:p><a:pPr>${textLook(800, false)}</a:pPr><a:r><a:rPr lang="en-US" sz="800" b="0"/><a:t>${xmlText(title)}</a:t></a:r></a:p></c:rich></c:tx><c:overlay val="0"/></c:title>`;
  return `<c:catAx><c:axId val="${APART.category}"/><c:scaling><c:orientation val="minMax"/></c:scaling><c:delete val="1"/><c:axPos val="b"/><c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="nextTo"/><c:crossAx val="${APART.value}"/><c:crosses val="autoZero"/><c:auto val="0"/><c:lblAlgn val="ctr"/><c:lblOffset val="100"/><c:noMultiLvlLbl val="1"/></c:catAx><c:valAx><c:axId val="${APART.value}"/><c:scaling><c:orientation val="minMax"/>${fromZero ? '<c:min val="0"/>' : ''}</c:scaling><c:delete val="0"/><c:axPos val="r"/>${name}<c:numFmt formatCode="#,##0" sourceLinked="0"/><c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="nextTo"/><c:spPr><a:ln><a:noFill/></a:ln></c:spPr>${textProperties(800)}<c:crossAx val="${APART.category}"/><c:crosses val="max"/><c:crossBetween val="between"/></c:valAx>`;
}

function axisLine(colour: string): string {
  return `<c:spPr><a:ln w="6350"><a:solidFill><a:srgbClr val="${colour}"/></a:solidFill></a:ln></c:spPr>`;
}

function textProperties(size: number): string {
  return `<c:txPr><a:bodyPr/><a:p><a:pPr>${textLook(size, false)}</a:pPr><a:endParaRPr lang="en-US"/></a:p></c:txPr>`;
}

function textLook(size: number, bold: boolean): string {
  return `<a:defRPr sz="${size}" b="${bold ? 1 : 0}"><a:solidFill><a:srgbClr val="${INK}"/></a:solidFill></a:defRPr>`;
}
